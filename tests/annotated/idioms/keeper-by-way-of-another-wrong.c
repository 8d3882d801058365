/* What one member holds comes into the other through an object that nobody else ever sees. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct buf { int x; };
struct demo { struct buf *a, *b; };
static struct demo *demo;
static DEFINE_MUTEX(la);
static DEFINE_MUTEX(lb);

static ssize_t demo_read(struct file *file, char __user *ub, size_t len, loff_t *pos)
{
	mutex_lock(&la);
	demo->a->x++; // RACE!
	mutex_unlock(&la);
	return 0;
}
static ssize_t demo_write(struct file *file, const char __user *ub, size_t len, loff_t *pos)
{
	mutex_lock(&lb);
	demo->b->x++; // RACE!
	mutex_unlock(&lb);
	return len;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *tmp = kzalloc(sizeof(*tmp), GFP_KERNEL);
	unsigned long i;

	if (!tmp)
		return -ENOMEM;
	mutex_lock(&la);
	mutex_lock(&lb);
	for (i = 0; i < arg; i++)
		tmp->a = demo->b;
	demo->a = tmp->a;
	mutex_unlock(&lb);
	mutex_unlock(&la);
	kfree(tmp);
	return 0;
}
static const struct file_operations demo_fops = {
	.owner = THIS_MODULE, .read = demo_read, .write = demo_write, .unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };
static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	demo->a = kzalloc(sizeof(*demo->a), GFP_KERNEL);
	demo->b = kzalloc(sizeof(*demo->b), GFP_KERNEL);
	if (!demo->a || !demo->b)
		return -ENOMEM;
	return misc_register(&demo_misc);
}
module_init(demo_init);
