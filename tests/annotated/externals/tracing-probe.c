/* A tracepoint's probes run where the tracepoint is passed, under the locks that are held there. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/trace_events.h>

struct demo {
	int level;
};

void __SCT__tp_func_demo(void *data, struct demo *demo);
void demo_record(int level);

static DEFINE_MUTEX(lock);
static struct demo demo;

int __traceiter_demo(void *data, struct demo *demo)
{
	demo_record(demo->level); // NORACE
	return 0;
}

static void demo_probe(void *data, struct demo *demo)
{
	demo_record(demo->level); // NORACE
}

static void demo_perf(void *data, struct demo *demo)
{
	demo_record(demo->level); // NORACE
}

static void demo_bpf(void *data, struct demo *demo)
{
	demo_record(demo->level); // NORACE
}

struct tracepoint __tracepoint_demo = { .name = "demo", .iterator = &__traceiter_demo };
struct trace_event_class event_class_demo = { .system = "demo", .probe = demo_probe, .perf_probe = demo_perf };
struct bpf_raw_event_map map_demo = { .tp = &__tracepoint_demo, .bpf_func = demo_bpf };

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	demo.level = n; // NORACE
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
