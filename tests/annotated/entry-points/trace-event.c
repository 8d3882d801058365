/* The iterator belongs to who prints with it. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/trace_events.h>

static int demo_print(struct trace_iterator *iter, int flags, struct trace_event *event)
{
	iter->leftover = flags; // NORACE
	return 0;
}

static const struct trace_event_functions demo_functions = {
	.trace = demo_print,
	.raw = demo_print,
	.hex = demo_print,
	.binary = demo_print,
};

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	return register_trace_event(&demo_functions);
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
