/* A work puts another function in its own place, and goes on: the kernel takes that for another work, and runs both at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/workqueue.h>

struct demo { struct work_struct work; int x; };
static struct demo demo;
static struct workqueue_struct *wq;

static void job2(struct work_struct *work) // RACE!
{
	container_of(work, struct demo, work)->x++; // RACE!
}
static void job(struct work_struct *work) // RACE: it runs once, but is not known to
{
	struct demo *d = container_of(work, struct demo, work);

	d->work.func = job2; // RACE!
	queue_work(wq, &d->work);
	d->x++; // RACE!
}
static int __init demo_init(void)
{
	wq = alloc_workqueue("demo", 2, 4);
	INIT_WORK(&demo.work, job);
	queue_work(wq, &demo.work);
	return 0;
}
module_init(demo_init);
