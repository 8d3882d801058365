/* The same after what succeeds, or may have been known for a while. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/cdev.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct miscdevice misc;
	struct mutex lock;
	int count;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	mutex_lock(&demo->lock);
	demo->count++; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

struct early {
	struct cdev cdev;
	int count;
};

int cdev_device_add(struct cdev *cdev, struct device *dev);

static int early_open(struct inode *inode, struct file *file)
{
	struct early *early = container_of(inode->i_cdev, struct early, cdev);

	return early->count; // RACE!
}

static const struct file_operations early_fops = {
	.owner = THIS_MODULE,
	.open = early_open,
};

struct reader {
	struct urb *urb;
	int count;
};

static void reader_complete(struct urb *urb)
{
	struct reader *reader = urb->context;

	WRITE_ONCE(reader->count, 1); // RACE!
}

static int reader_probe(struct platform_device *pdev)
{
	struct reader *reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	int err;

	if (!reader)
		return -ENOMEM;
	reader->urb = usb_alloc_urb(0, GFP_KERNEL);
	if (!reader->urb)
		goto free;
	reader->urb->context = reader;
	reader->urb->complete = reader_complete;
	err = usb_submit_urb(reader->urb, GFP_KERNEL);
	if (err)
		goto free;
	reader->count = 2; // RACE!
	return 0;
free:
	kfree(reader);
	return -EIO;
}

static struct platform_driver reader_driver = {
	.probe = reader_probe,
	.driver = { .name = "reader" },
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct early *early;
	int err;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->misc.minor = MISC_DYNAMIC_MINOR;
	demo->misc.name = "demo";
	demo->misc.fops = &demo_fops;
	err = misc_register(&demo->misc);
	if (!err)
		demo->count = 0; // RACE!
	early = kzalloc(sizeof(*early), GFP_KERNEL);
	if (!early)
		return -ENOMEM;
	cdev_init(&early->cdev, &early_fops);
	err = cdev_device_add(&early->cdev, NULL);
	if (err)
		early->count = 0; // RACE!
	return platform_driver_register(&reader_driver);
}
module_init(demo_init);
