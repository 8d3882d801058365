/* A table that may change holds a function of another module. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo_ops {
	void (*reset)(int *level);
};

extern void generic_reset(int *level);

static DEFINE_MUTEX(lock);
static int level;

static void demo_reset(int *level)
{
	mutex_lock(&lock);
	*level = 0; // RACE!
	mutex_unlock(&lock);
}

static struct demo_ops kinds[] = { { demo_reset }, { generic_reset } };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	kinds[cmd & 1].reset(&level); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	len = level; // RACE!
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
