/* A timer, a work item, a tasklet and a high-resolution timer that are made once: each function runs by itself. */
// verdict: race-free
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

static void demo_tick(struct timer_list *timer)
{
	struct demo *d = container_of(timer, struct demo, timer);

	d->ticks++; // NORACE
}

static struct demo *to_demo(struct work_struct *work)
{
	return container_of(work, struct demo, work);
}

static void demo_job(struct work_struct *work)
{
	to_demo(work)->jobs++; // NORACE
}

static void demo_bell(struct tasklet_struct *tasklet)
{
	demo.bells++; // NORACE
}

static enum hrtimer_restart demo_beat(struct hrtimer *hrtimer)
{
	demo.beats++; // NORACE
	return HRTIMER_NORESTART;
}

static int demo_open(struct inode *inode, struct file *file)
{
	mod_timer(&demo.timer, 1);
	schedule_work(&demo.work);
	tasklet_schedule(&demo.tasklet);
	hrtimer_start(&demo.hrtimer, 1, HRTIMER_MODE_REL);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	del_timer(&demo.timer);
	cancel_work(&demo.work);
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
	timer_setup(&demo.timer, demo_tick, 0);
	INIT_WORK(&demo.work, demo_job);
	tasklet_setup(&demo.tasklet, demo_bell);
	hrtimer_init(&demo.hrtimer, 1, HRTIMER_MODE_REL);
	demo.hrtimer.function = demo_beat;
	return misc_register(&demo_misc);
}
module_init(demo_init);
