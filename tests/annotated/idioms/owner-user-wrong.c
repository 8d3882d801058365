/* What user space writes makes the flag free, whoever has it. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/bitops.h>
#include <linux/uaccess.h>

struct demo {
	int pad;
	u32 busy;
	int events;
};

static struct demo *demo;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmpxchg(&demo->busy, 0, 1) != 0) // RACE!
		return -EBUSY;
	demo->events += cmd; // RACE!
	xchg(&demo->busy, 0); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	return copy_from_user(&demo->busy, from, sizeof(demo->busy)) ? -EFAULT : n; // RACE!
}

static int demo_start(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	int error = demo_start();

	return error ? error : misc_register(&demo_misc);
}
module_init(demo_init);
