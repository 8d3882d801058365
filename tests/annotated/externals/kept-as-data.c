/* What is only kept as data, and compared, is not accessed as such. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int level;
};

extern void board_on(void (*event)(unsigned char *data));

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(kept_lock);
static struct demo *shared;
static void *kept;

static void keep(unsigned char *bytes)
{
	kept = bytes;
}

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	mutex_lock(&kept_lock);
	shared = kzalloc(sizeof(*shared), GFP_KERNEL);
	keep((unsigned char *)shared);
	mutex_unlock(&kept_lock);
	mutex_unlock(&lock);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	shared->level = cmd; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&kept_lock);
	len = kept == buf; // NORACE
	mutex_unlock(&kept_lock);
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
