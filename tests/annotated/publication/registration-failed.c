/* What could not be registered nobody knows: who has made it may still write to it. */
// verdict: race-free
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
	demo->count++; // NORACE
	mutex_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

struct reader {
	struct urb *urb;
	int count;
};

static void reader_complete(struct urb *urb)
{
	struct reader *reader = urb->context;

	WRITE_ONCE(reader->count, 1); // NORACE
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
	if (!err)
		return 0;
	reader->count = 2; // NORACE
	usb_free_urb(reader->urb);
free:
	kfree(reader); // NORACE
	return -EIO;
}

static struct platform_driver reader_driver = {
	.probe = reader_probe,
	.driver = { .name = "reader" },
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->misc.minor = MISC_DYNAMIC_MINOR;
	demo->misc.name = "demo";
	demo->misc.fops = &demo_fops;
	err = misc_register(&demo->misc);
	if (err) {
		demo->count = 0; // NORACE
		kfree(demo); // NORACE
		return err;
	}
	return platform_driver_register(&reader_driver);
}
module_init(demo_init);
