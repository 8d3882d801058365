/* A part of an array of characters becomes a struct behind a pointer that the kernel keeps. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct priv {
	int a;
	int b;
};

struct box {
	char cb[48];
	int n;
};

static struct box *g;

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = g->cb + 8;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&a);
	struct priv *p = file->private_data;
	p->b = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	g->cb[12] = 2; // RACE!
	mutex_unlock(&b);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
	g = kzalloc(sizeof(*g), GFP_KERNEL);
	return misc_register(&demo_misc);
}
module_init(demo_init);
