/* The sessions count in one element of an array, and the driver gives back the last of another one. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/kref.h>
#include <linux/usb.h>

struct demo {
	struct kref ref[2];
	struct mutex lock;
	int value;
};

static struct demo *the_demo;
static DEFINE_MUTEX(demo_lock);

static void demo_free(struct kref *ref)
{
	kfree(container_of(ref, struct demo, ref[1])); // RACE!
}

static void demo_none(struct kref *ref) {}
static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo;

	mutex_lock(&demo_lock);
	demo = the_demo;
	if (demo)
		kref_get(&demo->ref[0]); // RACE: references are not followed
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

	mutex_lock(&demo->lock); // RACE: it is real, but in summaries a free without a type ends no lock; the next line is reported
	value = demo->value; // RACE!
	mutex_unlock(&demo->lock);
	return value;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock); // RACE: the same
	demo->value++; // RACE!
	mutex_unlock(&demo->lock);
	return n;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct demo *demo = file->private_data;

	kref_put(&demo->ref[0], demo_none); // RACE: references are not followed
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
	kref_init(&demo->ref[0]);
	kref_init(&demo->ref[1]);
	mutex_init(&demo->lock);
	usb_set_intfdata(intf, demo);
	mutex_lock(&demo_lock);
	the_demo = demo;
	mutex_unlock(&demo_lock);
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	struct demo *demo = usb_get_intfdata(intf);

	mutex_lock(&demo_lock);
	the_demo = NULL;
	mutex_unlock(&demo_lock);
	kref_put(&demo->ref[1], demo_free);
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
