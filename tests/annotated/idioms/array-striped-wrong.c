/* One function takes the lock by the quotient, not the remainder. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

#define LOCKS 4
#define ITEMS 16

static struct mutex locks[LOCKS];
static struct {
	long count;
	int last;
} items[ITEMS];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int i = cmd % ITEMS;

	mutex_lock(&locks[i % LOCKS]);
	items[i].count++; // RACE!
	mutex_unlock(&locks[i % LOCKS]);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	unsigned int i = len & (ITEMS - 1);

	mutex_lock(&locks[i / LOCKS]);
	len = items[i].count; // RACE!
	mutex_unlock(&locks[i / LOCKS]);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
