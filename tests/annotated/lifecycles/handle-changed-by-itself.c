/* The last that a work does is to put another function in its own place. */
// verdict: potential
#include <linux/module.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int x; };
static struct demo demo;
static struct workqueue_struct *wq;

static void job2(struct work_struct *work) // RACE: the same
{
	container_of(work, struct demo, work)->x++; // RACE: the same
}
static void job(struct work_struct *work) // RACE: the same
{
	struct demo *d = container_of(work, struct demo, work);

	d->x++; // RACE: who changes what it is known by is taken to be alone nowhere
	d->work.func = job2; // RACE: the same
	queue_work(wq, &d->work);
}
static int __init demo_init(void)
{
	wq = alloc_workqueue("demo", 2, 4);
	INIT_WORK(&demo.work, job);
	queue_work(wq, &demo.work);
	return 0;
}
module_init(demo_init);
