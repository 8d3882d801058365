/* A handler, a timer function and a work function are entry points, though in no table. */
// verdict: potential
// entry-points: 5
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

static int of_irq, of_timer, of_work;
static struct timer_list timer;
static struct work_struct work;

static irqreturn_t demo_interrupt(int irq, void *dev_id)
{
	of_irq++; // RACE!
	return IRQ_HANDLED;
}

static void demo_timer(struct timer_list *unused)
{
	of_timer++; // RACE!
}

static void demo_work(struct work_struct *unused)
{
	of_work++; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return of_irq + of_timer + of_work; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	timer_setup(&timer, demo_timer, 0);
	INIT_WORK(&work, demo_work);
	if (request_irq(7, demo_interrupt, 0, "demo", &timer))
		return -EBUSY;
	mod_timer(&timer, 1000);
	schedule_work(&work);
	return misc_register(&demo_misc);
}
module_init(demo_init);
