/* A function that is called through a member, and that no row speaks of, does anything with its arguments. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/virtio_config.h>

struct region {
	u64 start;
};

static struct virtio_device *device;
static struct region region;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return device->config->get_shm_region(device, &region, 0) ? n : 0; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	return n + region.start; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
