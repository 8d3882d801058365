/* What the data of a device lead to, of which the kernel keeps a copy, its driver finds. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/compiler.h>
#include <linux/platform_device.h>

struct note {
	int value;
};
struct demo_data {
	struct note *note;
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo_data *data = pdev->dev.platform_data; // RACE!

	return READ_ONCE(data->note->value); // RACE!
}

static struct platform_device *demo_pdev;
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo_data data;
	struct note *note = kzalloc(sizeof(*note), GFP_KERNEL);

	if (!note)
		return -ENOMEM;
	data.note = note;
	platform_device_add_data(demo_pdev, &data, sizeof(data)); // RACE!
	platform_device_add(demo_pdev);
	note->value = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	platform_driver_register(&demo_driver);
	return misc_register(&demo_misc);
}
module_init(demo_init);
