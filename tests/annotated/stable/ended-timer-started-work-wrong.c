/* The lock is chosen by a pointer that changes when the timer is over, but the work that the timer has started may run. */
// verdict: potential
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static DEFINE_MUTEX(first_mutex);
static DEFINE_MUTEX(second_mutex);

struct demo {
	struct timer_list timer;
	struct work_struct work;
	struct mutex *mutex;
	int events;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	mutex_lock(demo->mutex); // RACE!
	demo->events++; // RACE!
	mutex_unlock(demo->mutex); // RACE!
}

static void demo_timer(struct timer_list *timer)
{
	struct demo *demo = from_timer(demo, timer, timer);

	schedule_work(&demo->work);
}

static irqreturn_t demo_interrupt(int irq, void *id)
{
	struct demo *demo = id;

	mutex_lock(demo->mutex);
	demo->events++; // RACE!
	mutex_unlock(demo->mutex);
	return IRQ_HANDLED;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->mutex = &first_mutex;
	timer_setup(&demo->timer, demo_timer, 0);
	INIT_WORK(&demo->work, demo_work);
	mod_timer(&demo->timer, 1);
	del_timer_sync(&demo->timer);
	demo->mutex = &second_mutex; // RACE!
	if (request_threaded_irq(5, NULL, demo_interrupt, 0, "demo", demo))
		return -EBUSY;
	schedule_work(&demo->work);
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .open = demo_open };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
