/* The same as rule07-first-member-apart, but pointers to the first members are kept as ones to bytes. */
// verdict: potential
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

static struct sk_buff *kept;

static noinline void change(struct item *item)
{
	item->b = 2; // RACE: nobody knows how far into a struct the data is
	mutex_lock(&b);
	kept->data = (unsigned char *)&item->a;
	mutex_unlock(&b);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = file->private_data;

	mutex_lock(&a);
	item->a = 1; // RACE!
	change(item);
	mutex_unlock(&a);
	return 0;
}

static noinline void count_one(struct demo *demo)
{
	mutex_lock(&a);
	count(demo); // RACE!
	mutex_lock(&b);
	kept->data = (unsigned char *)demo;
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
	skb = kept;
	skb->data[1] = 1; // RACE!
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
	kept = dev_alloc_skb(64);
	return misc_register(&demo_misc);
}
module_init(demo_init);
