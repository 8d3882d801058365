/* A block of the array is written while another thread reads the array without the lock. */
// verdict: potential
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
	memset(&demo->values[4], 0, cmd % 4); // RACE!
	mutex_unlock(&demo->lock);
	return demo->values[cmd % 16]; // RACE!
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
