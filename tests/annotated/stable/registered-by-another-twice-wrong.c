/* What the work reads twice may change in between: it may have been queued by somebody else before the writer queues it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

struct obj { spinlock_t lock; int x; };
struct demo { struct work_struct work; struct obj *cur, a, b; };
static struct demo *the;
static DEFINE_MUTEX(m);

static void fn(struct work_struct *w)
{
	struct demo *d = container_of(w, struct demo, work);
	struct obj *p = READ_ONCE(d->cur), *q;

	spin_lock(&p->lock);
	q = READ_ONCE(d->cur);
	q->x++; // RACE!
	spin_unlock(&p->lock);
}
static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	spin_lock_init(&d->a.lock);
	spin_lock_init(&d->b.lock);
	INIT_WORK(&d->work, fn);
	d->cur = &d->a;
	mutex_lock(&m);
	the = d;
	mutex_unlock(&m);
	WRITE_ONCE(d->cur, &d->b);
	schedule_work(&d->work);
	return 0;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&m);
	if (the) {
		struct obj *o = arg ? &the->a : &the->b;

		spin_lock(&o->lock);
		o->x++; // RACE!
		spin_unlock(&o->lock);
		schedule_work(&the->work);
	}
	mutex_unlock(&m);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
