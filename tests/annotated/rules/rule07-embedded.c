/* Through the outer struct, and through a pointer to the inner one. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct inner {
	int pad;
	int x;
};

struct outer {
	int head;
	struct inner inner[3];
	int tail;
};

static DEFINE_MUTEX(a);
static struct outer outer;

static noinline void demo_set(struct inner *inner)
{
	inner->x = 1; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd < 3)
		demo_set(&outer.inner[cmd]);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&a);
	outer.tail++; // NORACE
	len = outer.inner[2].x; // RACE!
	mutex_unlock(&a);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&a);
	outer.tail = outer.inner[0].pad; // NORACE
	mutex_unlock(&a);
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
