/* An array of characters may be the storage of a struct. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct level {
	int now;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(area_lock);
static unsigned char area[64];

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = (void *)area;
	return file->private_data ? 0 : -ENOMEM;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct level *level = file->private_data;

	mutex_lock(&lock);
	level->now = cmd; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&area_lock);
	memset(area, 0, len & 63); // RACE!
	mutex_unlock(&area_lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
