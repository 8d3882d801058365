/* An event belongs to who writes it; the probes of a tracepoint look at what they are given, under the locks of who calls. */
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
	entry->level = level; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	demo.level = n; // NORACE
	trace_demo(n);
	__SCT__tp_func_demo(NULL, &demo); // NORACE
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
