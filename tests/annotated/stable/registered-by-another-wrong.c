/* Which lock it is changes once others know the object, and one of them may have started the timer: it is not the same for both. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

struct demo { struct timer_list timer; struct work_struct work; spinlock_t a, b, *lock; int x; };
static struct demo *the;

static void tick(struct timer_list *t)
{
	struct demo *d = container_of(t, struct demo, timer);
	spinlock_t *lock = READ_ONCE(d->lock);

	spin_lock(lock);
	d->x++; // RACE!
	spin_unlock(lock);
}
static void fn(struct work_struct *w)
{
	struct demo *d = container_of(w, struct demo, work);
	spinlock_t *lock = READ_ONCE(d->lock);

	spin_lock_bh(lock);
	d->x--; // RACE!
	spin_unlock_bh(lock);
}
static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return -ENOMEM;
	spin_lock_init(&d->a);
	spin_lock_init(&d->b);
	d->lock = &d->a;
	timer_setup(&d->timer, tick, 0);
	INIT_WORK(&d->work, fn);
	smp_store_release(&the, d);
	WRITE_ONCE(d->lock, &d->b);
	mod_timer(&d->timer, jiffies + HZ);
	schedule_work(&d->work);
	return 0;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *d = smp_load_acquire(&the);

	if (d)
		mod_timer(&d->timer, jiffies);
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
