/* A session links the object again after the driver has taken it out, and the last one frees it there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/kref.h>
#include <linux/usb.h>
#include <linux/list.h>

struct demo {
	struct kref ref;
	struct mutex lock;
	struct list_head list;
	int minor;
	int value;
	struct list_head *node;
};

static LIST_HEAD(demos);
static DEFINE_MUTEX(demo_lock);

static void demo_free(struct kref *ref)
{
	kfree(container_of(ref, struct demo, ref)); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = NULL, *pos;

	mutex_lock(&demo_lock);
	list_for_each_entry(pos, &demos, list) { // RACE!
		if (pos->minor == iminor(inode)) { // RACE!
			demo = pos;
			break;
		}
	}
	if (demo)
		kref_get(&demo->ref); // RACE: references are not followed
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

	mutex_lock(&demo->lock); // RACE!
	value = demo->value; // RACE!
	mutex_unlock(&demo->lock);
	return value;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock); // RACE!
	demo->value++; // RACE!
	mutex_unlock(&demo->lock);
	return n;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct demo *demo = file->private_data;

	kref_put(&demo->ref, demo_free); // RACE: references are not followed
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo_lock);
	list_add(demo->node, &demos); // RACE!
	mutex_unlock(&demo_lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
	.release = demo_release,
	.unlocked_ioctl = demo_ioctl,
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
	kref_init(&demo->ref);
	mutex_init(&demo->lock);
	demo->node = &demo->list;
	usb_set_intfdata(intf, demo);
	mutex_lock(&demo_lock);
	list_add(&demo->list, &demos); // RACE: references are not followed
	mutex_unlock(&demo_lock);
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	mutex_lock(&demo_lock);
	list_del(&demo->list); // RACE: references are not followed
	mutex_unlock(&demo_lock);
	kref_put(&demo->ref, demo_free); // RACE: references are not followed
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
