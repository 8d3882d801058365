/* A block of unknown length that begins in an array of a struct ends in it. */
// verdict: race-free
// assume: in-bounds
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>

struct demo {
	struct mutex lock;
	u8 values[16];
	int limit;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->lock);
	memset(&demo->values[4], 0, cmd % 4); // NORACE
	mutex_unlock(&demo->lock);
	return demo->limit; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
