/* A clone has the pointers of the packet that it is of, in its control block, too. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/netdevice.h>

struct note {
	int value;
};
struct demo_cb {
	struct note *note;
};

struct sk_buff *skb_clone(struct sk_buff *skb, gfp_t flags);

static struct sk_buff *last;
static DEFINE_MUTEX(lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct sk_buff *skb = __netdev_alloc_skb(NULL, 100, GFP_KERNEL), *other;
	struct note *note = kzalloc(sizeof(*note), GFP_KERNEL);

	if (!skb || !note)
		return -ENOMEM;
	((struct demo_cb *)skb->cb)->note = note;
	other = skb_clone(skb, GFP_KERNEL);
	if (!other)
		return -ENOMEM;
	mutex_lock(&lock);
	last = other;
	mutex_unlock(&lock);
	note->value = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	if (last)
		len = ((struct demo_cb *)last->cb)->note->value; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
