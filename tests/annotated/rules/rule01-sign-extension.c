/* A negative int is a large unsigned long; a minus one as an index reaches the element before. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct table {
	int first;
	int rest[4];
};

static struct table table;
static DEFINE_MUTEX(lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int index = (int)cmd;

	if (index >= 4)
		return -EINVAL;
	table.rest[index]++; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	len = table.rest[1]; // RACE!
	mutex_unlock(&lock);
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
