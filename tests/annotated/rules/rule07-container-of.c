/* Through container_of of an embedded struct, and through the outer one. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct inner {
	int x;
};

struct outer {
	int events;
	struct inner inner;
};

static DEFINE_MUTEX(a);
static struct outer outer;

static noinline void demo_set(struct inner *inner)
{
	struct outer *of = container_of(inner, struct outer, inner);

	of->events++; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	demo_set(&outer.inner);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&a);
	outer.events = 0; // RACE!
	mutex_unlock(&a);
	return 0;
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
