/* The struct with the other head lies in an array of numbers of an element. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct sub {
	struct sub *next;
	int data;
};

struct b {
	spinlock_t lock;
	struct sub *items;
};

struct a {
	struct a *next;
	int data;
	u64 room[8];
};

static struct a *top;
static DEFINE_SPINLOCK(a_lock);
static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct a *i = kzalloc(sizeof(*i), GFP_KERNEL);

	if (!i)
		return -ENOMEM;
	spin_lock(&a_lock);
	i->next = top;
	top = i;
	spin_unlock(&a_lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct a *i;

	spin_lock(&a_lock);
	i = top;
	if (i) {
		top = NULL;
		kfree(i); // RACE!
	}
	spin_unlock(&a_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct a *i;
	struct b *b;
	struct sub *n = kzalloc(sizeof(*n), GFP_KERNEL);

	if (!n)
		return 0;
	spin_lock(&a_lock);
	i = top;
	spin_unlock(&a_lock);
	if (!i)
		return 0;
	b = (struct b *)i->room;
	spin_lock(&b->lock); // RACE!
	n->next = b->items; // RACE!
	b->items = n; // RACE!
	spin_unlock(&b->lock);
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
module_misc_device(demo_misc);
