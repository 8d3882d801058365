/* Two interrupts tell of edges: each is stored under the core's lock, but the time of the last one is looked at without. */
// verdict: potential
#include "rc.h"

static struct rc_dev edged, timed;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct ir_raw_event event = { .duration = len };

	ir_raw_event_store_with_timeout(&timed, &event); // NORACE
	ir_raw_event_store_edge(&edged, true); // RACE!
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct ir_raw_event event = { .duration = len };

	ir_raw_event_store_with_timeout(&timed, &event); // NORACE
	ir_raw_event_store_with_timeout(&edged, &event); // RACE!
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
