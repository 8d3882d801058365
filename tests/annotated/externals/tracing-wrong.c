/* The event is kept for later, and the tracepoint is passed without the lock. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

struct entry {
	int level;
};

struct demo {
	int level;
};

void __SCT__tp_func_demo(void *data, struct demo *demo);

static DEFINE_MUTEX(lock);
static struct demo demo;
static struct entry *last;

static void trace_demo(int level)
{
	struct pt_regs *regs;
	int context;
	struct entry *entry = trace_event_buffer_reserve(NULL, NULL, sizeof(*entry));

	if (entry)
		entry->level = level; // NORACE
	entry = perf_trace_buf_alloc(sizeof(*entry), &regs, &context);
	if (!entry)
		return;
	last = entry; // RACE!
	entry->level = level; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	demo.level = n; // RACE!
	mutex_unlock(&lock);
	trace_demo(n); // NORACE
	__SCT__tp_func_demo(NULL, &demo); // RACE!
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	return last ? last->level : 0; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.poll = demo_poll,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
