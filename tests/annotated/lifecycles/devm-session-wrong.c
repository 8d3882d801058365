/* Memory that belongs to a device ends when the driver is unbound, while others still have the device open. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct mutex lock;
	int value;
};

static struct demo *the_demo;
static DEFINE_MUTEX(demo_lock);

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo;

	mutex_lock(&demo_lock);
	demo = the_demo;
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
	struct demo *demo = devm_kzalloc(&intf->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	usb_set_intfdata(intf, demo);
	mutex_lock(&demo_lock);
	the_demo = demo;
	mutex_unlock(&demo_lock);
	return 0;
}

static void demo_disconnect(struct usb_interface *intf)
{
	mutex_lock(&demo_lock);
	the_demo = NULL;
	mutex_unlock(&demo_lock);
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
