/* Pointers to bytes do not lead to the first member of a struct because pointers to the struct are handed
 * on, or because what is inlined adds nothing to them. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include "first-member.h"

struct item {
	int a;
	int b;
};

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

static noinline void change(struct item *item)
{
	item->b = 2; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = file->private_data;

	mutex_lock(&a);
	item->a = 1; // NORACE
	change(item);
	mutex_unlock(&a);
	return 0;
}

static noinline void count_one(struct demo *demo)
{
	mutex_lock(&a);
	demo->second = 1; // NORACE
	mutex_lock(&b);
	count(demo); // NORACE
	mutex_unlock(&b);
	mutex_unlock(&a);
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	count_one(file->private_data);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct sk_buff *skb;

	mutex_lock(&b);
	skb = file->f_inode->i_private;
	skb->data[1] = 1; // NORACE
	mutex_unlock(&b);
	return 0;
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
