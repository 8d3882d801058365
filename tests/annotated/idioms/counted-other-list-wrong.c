/* The elements of another list, which nobody counts, are taken out and put back under the lock of the list. */
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
};

struct other {
	struct list_head list;
	int id;
	int state;
};
static LIST_HEAD(others);
static LIST_HEAD(demos);
static DEFINE_MUTEX(demo_lock);

static void demo_free(struct kref *ref)
{
	kfree(container_of(ref, struct demo, ref)); // RACE: references are not followed
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = NULL, *pos;

	mutex_lock(&demo_lock);
	list_for_each_entry(pos, &demos, list) { // RACE: references are not followed
		if (pos->minor == iminor(inode)) { // RACE: references are not followed
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

	mutex_lock(&demo->lock); // RACE: references are not followed
	value = demo->value; // RACE: references are not followed
	mutex_unlock(&demo->lock);
	return value;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock); // RACE: references are not followed
	demo->value++; // RACE: references are not followed
	mutex_unlock(&demo->lock);
	return n;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct demo *demo = file->private_data;

	kref_put(&demo->ref, demo_free); // RACE: references are not followed
	return 0;
}


static int other_open(struct inode *inode, struct file *file)
{
	struct other *o = kzalloc(sizeof(*o), GFP_KERNEL);

	if (!o)
		return -ENOMEM;
	INIT_LIST_HEAD(&o->list);
	file->private_data = o;
	return 0;
}
static ssize_t other_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct other *o = file->private_data;

	mutex_lock(&demo_lock);
	list_move(&o->list, &others); // RACE: references are not followed
	mutex_unlock(&demo_lock);
	return n;
}
static ssize_t other_read(struct file *file, char __user *buf, size_t n, loff_t *off)
{
	struct other *o = file->private_data;

	mutex_lock(&demo_lock);
	list_del_init(&o->list); // RACE: references are not followed
	mutex_unlock(&demo_lock);
	o->state = n; // RACE!
	return 0;
}
static long other_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct other *pos;

	mutex_lock(&demo_lock);
	list_for_each_entry(pos, &others, list) {
		if (pos->id == arg) {
			pos->state = 2; // RACE!
			break;
		}
	}
	mutex_unlock(&demo_lock);
	return 0;
}
static const struct file_operations other_fops = {
	.owner = THIS_MODULE,
	.open = other_open,
	.read = other_read,
	.write = other_write,
	.unlocked_ioctl = other_ioctl,
};
static struct miscdevice other_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "other",
	.fops = &other_fops,
};

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
	kref_init(&demo->ref);
	mutex_init(&demo->lock);
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
	misc_register(&other_misc);
	return misc_register(&demo_misc);
}
module_init(demo_init);
