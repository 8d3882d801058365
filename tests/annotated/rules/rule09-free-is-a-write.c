/* An object is freed while another call may use it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int events;
};

static DEFINE_MUTEX(lock);
static struct demo *common;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo;

	mutex_lock(&lock);
	demo = common; // NORACE
	mutex_unlock(&lock);
	if (demo)
		demo->events++; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo;

	mutex_lock(&lock);
	demo = common; // NORACE
	common = NULL; // NORACE
	mutex_unlock(&lock);
	kfree(demo); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	mutex_lock(&lock);
	common = demo; // NORACE
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
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
