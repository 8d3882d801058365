/* A HID device that is connected is known to others, and so is what it leads to. */
// verdict: potential
#include "hid.h"

struct class { int users; };
int roccat_connect(struct class *class, struct hid_device *hid, int size);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct hid_device *hid = kzalloc(sizeof(*hid), GFP_KERNEL);
	struct hid_device *own = kzalloc(sizeof(*own), GFP_KERNEL);
	struct class *class = kzalloc(sizeof(*class), GFP_KERNEL);

	if (!hid || !own || !class)
		return -ENOMEM;
	own->quirks = len; // NORACE
	hid->quirks = len; // NORACE
	roccat_connect(class, hid, 4);
	hid->quirks = len; // RACE!
	class->users = len; // RACE!
	kfree(own); // NORACE
	return len;
}

int demo_any(struct hid_device *hid, struct class *class)
{
	class->users = 2; // RACE!
	return hid->quirks; // RACE!
}
EXPORT_SYMBOL(demo_any);

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
