/* The same object through two struct types behind a pointer: type-split would separate them,
 * but here the object is known.
 */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct one {
	int a;
	int b;
};

struct other {
	int c;
	int d;
};

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);
static void *common;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct one *one = READ_ONCE(common);

	mutex_lock(&a);
	one->b = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct other *other = READ_ONCE(common);

	mutex_lock(&b);
	other->d = 1; // RACE!
	mutex_unlock(&b);
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
	WRITE_ONCE(common, kzalloc(sizeof(struct one), GFP_KERNEL));
	return misc_register(&demo_misc);
}
module_init(demo_init);
