/* A work registers the operations before init does. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct obj { spinlock_t lock; int x; };
static struct obj a, b, *cur = &a;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct obj *p = cmd ? &b : READ_ONCE(cur), *q = p;

	spin_lock(&p->lock);
	if (!cmd)
		q = READ_ONCE(cur);
	q->x++; // RACE!
	spin_unlock(&p->lock);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice one = { .minor = MISC_DYNAMIC_MINOR, .name = "one", .fops = &demo_fops };
static struct miscdevice two = { .minor = MISC_DYNAMIC_MINOR, .name = "two", .fops = &demo_fops };

static void fn(struct work_struct *w) { misc_register(&one); }
static DECLARE_WORK(work, fn);

static int __init demo_init(void)
{
	spin_lock_init(&a.lock);
	spin_lock_init(&b.lock);
	schedule_work(&work);
	WRITE_ONCE(cur, &b);
	return misc_register(&two);
}
module_init(demo_init);
