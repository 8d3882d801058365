/* What is taken from a table is no struct that nobody has put into one. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int level;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(table_lock);
static struct demo *shared;
static void **table;

static void put(void **slot, void *object)
{
	*slot = object;
}

static unsigned char *take(unsigned char **slot)
{
	return *slot;
}

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	mutex_lock(&table_lock);
	table = kcalloc(2, sizeof(*table), GFP_KERNEL);
	shared = kzalloc(sizeof(*shared), GFP_KERNEL);
	put(table, kzalloc(64, GFP_KERNEL));
	mutex_unlock(&table_lock);
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
	mutex_lock(&table_lock);
	take((unsigned char **)table)[len & 3] = 0; // NORACE
	mutex_unlock(&table_lock);
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
