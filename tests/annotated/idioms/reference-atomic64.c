/* An atomic number of 64 bits counts references. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/atomic.h>
#include <linux/usb.h>
#include <linux/list.h>

bool atomic64_inc_not_zero(atomic64_t *v);
bool atomic64_dec_and_test(atomic64_t *v);

struct demo {
	atomic64_t users;
	struct mutex lock;
	struct list_head list;
	int minor;
	int value;
};

static LIST_HEAD(demos);
static DEFINE_MUTEX(demo_lock);

static void demo_put(struct demo *demo)
{
	if (!atomic64_dec_and_test(&demo->users))
		return;
	mutex_lock(&demo_lock);
	list_del(&demo->list);
	mutex_unlock(&demo_lock);
	kfree(demo); // NORACE
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = NULL, *pos;

	mutex_lock(&demo_lock);
	list_for_each_entry(pos, &demos, list) {
		if (pos->minor == iminor(inode)) {
			demo = pos;
			break;
		}
	}
	if (demo && !atomic64_inc_not_zero(&demo->users)) // NORACE
		demo = NULL;
	mutex_unlock(&demo_lock);
	if (!demo)
		return -ENODEV;
	file->private_data = demo;
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;
	int value;

	mutex_lock(&demo->lock);
	value = demo->value; // NORACE
	mutex_unlock(&demo->lock);
	return value;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	demo->value++; // NORACE
	mutex_unlock(&demo->lock);
	return n;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct demo *demo = file->private_data;

	demo_put(demo);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
	.release = demo_release,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int demo_probe(struct usb_interface *intf, const struct usb_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	atomic64_set(&demo->users, 1);
	mutex_init(&demo->lock);
	usb_set_intfdata(intf, demo);
	mutex_lock(&demo_lock);
	list_add(&demo->list, &demos);
	mutex_unlock(&demo_lock);
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	demo_put(demo);
}

static struct usb_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.disconnect = demo_disconnect,
};

static int __init demo_init(void)
{
	usb_register(&demo_driver);
	return misc_register(&demo_misc);
}
module_init(demo_init);
