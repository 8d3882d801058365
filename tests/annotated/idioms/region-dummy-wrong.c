/* A head is of the type of its elements, and is written to through a pointer that an element has. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct item {
	struct item *next, *home;
	int data;
};

static struct item A, B; /* dummies: heads of chains */
static DEFINE_SPINLOCK(a_lock);
static DEFINE_SPINLOCK(b_lock);
static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *i = kzalloc(sizeof(*i), GFP_KERNEL);

	if (!i)
		return -ENOMEM;
	if (len & 1) {
		spin_lock(&a_lock);
		i->next = A.next;
		i->home = &A;
		A.next = i;
		spin_unlock(&a_lock);
	} else {
		spin_lock(&b_lock);
		i->next = B.next;
		i->home = &B;
		B.next = i;
		spin_unlock(&b_lock);
	}
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *f;

	spin_lock(&a_lock);
	spin_lock(&b_lock);
	f = A.next;
	if (cmd && f)
		f->home->next = B.next; /* f->home is &A: A.next = B.next */
	spin_unlock(&b_lock);
	f = A.next;
	if (f)
		f->data++; // RACE!
	spin_unlock(&a_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct item *f;

	spin_lock(&b_lock);
	f = B.next;
	if (f)
		f->data--; // RACE!
	spin_unlock(&b_lock);
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
