/* Works of one object, each of which schedules all others: in how many orders they may have done so is not asked. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/workqueue.h>
#include <linux/slab.h>

struct demo {
	int count;
	struct work_struct a, b, c, d, e, f, g, h, i, j;
};

static void demo_schedule(struct demo *demo)
{
	schedule_work(&demo->a);
	schedule_work(&demo->b);
	schedule_work(&demo->c);
	schedule_work(&demo->d);
	schedule_work(&demo->e);
	schedule_work(&demo->f);
	schedule_work(&demo->g);
	schedule_work(&demo->h);
	schedule_work(&demo->i);
	schedule_work(&demo->j);
}

static void demo_a(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, a);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_b(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, b);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_c(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, c);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_d(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, d);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_e(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, e);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_f(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, f);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_g(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, g);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_h(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, h);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_i(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, i);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static void demo_j(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, j);

	demo->count++; // RACE!
	demo_schedule(demo);
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->a, demo_a);
	INIT_WORK(&demo->b, demo_b);
	INIT_WORK(&demo->c, demo_c);
	INIT_WORK(&demo->d, demo_d);
	INIT_WORK(&demo->e, demo_e);
	INIT_WORK(&demo->f, demo_f);
	INIT_WORK(&demo->g, demo_g);
	INIT_WORK(&demo->h, demo_h);
	INIT_WORK(&demo->i, demo_i);
	INIT_WORK(&demo->j, demo_j);
	demo->count = 1; // NORACE
	schedule_work(&demo->a);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };

static int __init demo_init(void)
{
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
