/* The same as rule07-bytes-by-struct-copy, and nothing says what the source is. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct item {
	int a;
	int b;
};

struct ha {
	int n;
	u8 *raw;
};

struct hb {
	int n;
	struct item *it;
};

static struct ha *x; static void *y;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&a);
	u8 *r = x->raw; // RACE!

	r[4] = 1; // MISSED: the source of the copy is a pointer to anything
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	struct hb *z = y;

	z->it->b = 2; // MISSED: the source of the copy is a pointer to anything
	mutex_unlock(&b);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	memcpy(x, y, sizeof(*x)); // RACE!
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
	struct hb *z = kzalloc(sizeof(*z), GFP_KERNEL);
	x = kzalloc(sizeof(*x), GFP_KERNEL);
	z->it = kzalloc(sizeof(struct item), GFP_KERNEL);
	y = z;
	return misc_register(&demo_misc);
}
module_init(demo_init);
