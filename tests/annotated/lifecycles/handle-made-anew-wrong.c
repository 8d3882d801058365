/* What may still run is made anew with each open: the kernel loses sight of it, and starts it a second time. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

struct demo {
	struct timer_list timer;
	struct work_struct work;
	struct tasklet_struct tasklet;
	struct hrtimer hrtimer;
	int ticks, jobs, bells, beats;
};

static struct demo demo;

static void demo_tick(struct timer_list *timer) // RACE!
{
	struct demo *d = container_of(timer, struct demo, timer);

	d->ticks++; // MISSED: reported where it is made anew
}

static struct demo *to_demo(struct work_struct *work)
{
	return container_of(work, struct demo, work);
}

static void demo_job(struct work_struct *work) // RACE!
{
	to_demo(work)->jobs++; // MISSED: reported where it is made anew
}

static void demo_bell(struct tasklet_struct *tasklet) // RACE!
{
	demo.bells++; // MISSED: reported where it is made anew
}

static enum hrtimer_restart demo_beat(struct hrtimer *hrtimer) // RACE!
{
	demo.beats++; // MISSED: reported where it is made anew
	return HRTIMER_NORESTART;
}

static int demo_open(struct inode *inode, struct file *file)
{
	timer_setup(&demo.timer, demo_tick, 0); // RACE!
	mod_timer(&demo.timer, 1); // RACE!
	INIT_WORK(&demo.work, demo_job); // RACE!
	schedule_work(&demo.work); // RACE!
	tasklet_setup(&demo.tasklet, demo_bell); // RACE!
	tasklet_schedule(&demo.tasklet); // RACE!
	hrtimer_init(&demo.hrtimer, 1, HRTIMER_MODE_REL); // RACE!
	demo.hrtimer.function = demo_beat; // RACE!
	hrtimer_start(&demo.hrtimer, 1, HRTIMER_MODE_REL); // RACE!
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	del_timer(&demo.timer); // RACE!
	cancel_work(&demo.work); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
