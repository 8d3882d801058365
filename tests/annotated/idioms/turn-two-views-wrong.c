/* Two words overlap in part, as members of two structs: `b` is 0x10000 where `a` is 1, and 0 where `a` is 0. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/compiler.h>
#include <linux/slab.h>

static DEFINE_MUTEX(writers);
static DEFINE_MUTEX(readers);
struct va { u16 p; u32 a; u16 q; } __attribute__((packed));
struct vb { u32 b; u32 r; };
static void *u;
static DEFINE_SPINLOCK(order);
static DEFINE_MUTEX(third);
static int item;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct vb *y = u;
	u32 b;
	mutex_lock(&writers);
	spin_lock(&order);
	b = y->b;
	spin_unlock(&order);
	if (b == 0) {
		item = len; // RACE!
		spin_lock(&order);
		y->b = 0x10000;
		spin_unlock(&order);
	}
	mutex_unlock(&writers);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t found = 0;
	struct vb *y = u;
	u32 b;
	mutex_lock(&readers);
	spin_lock(&order);
	b = y->b;
	spin_unlock(&order);
	if (b == 0x10000) {
		found = item; // RACE!
		spin_lock(&order);
		y->b = 0;
		spin_unlock(&order);
	}
	mutex_unlock(&readers);
	return found;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct va *x = u;
	u32 a;
	mutex_lock(&third);
	spin_lock(&order);
	a = x->a;
	spin_unlock(&order);
	if (a == 1) {
		spin_lock(&order);
		x->a = 1;
		barrier();
		spin_unlock(&order);
		spin_lock(&order);
		x->a = 0;
		spin_unlock(&order);
	}
	mutex_unlock(&third);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
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
	u = kzalloc(8, GFP_KERNEL);
	return misc_register(&demo_misc);
}
module_init(demo_init);
