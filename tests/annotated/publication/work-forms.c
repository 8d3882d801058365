/* All forms of queueing a work: before it, nobody else has the new object; after it, the work may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#undef queue_work_on
#undef queue_work
struct rcu_work {
	struct work_struct work;
};
bool queue_work_on(int cpu, struct workqueue_struct *wq, struct work_struct *work);
bool queue_work_node(int node, struct workqueue_struct *wq, struct work_struct *work);
bool queue_work(struct workqueue_struct *wq, struct work_struct *work);
bool schedule_work_on(int cpu, struct work_struct *work);
bool queue_delayed_work_on(int cpu, struct workqueue_struct *wq, struct delayed_work *work, unsigned long delay);
bool mod_delayed_work_on(int cpu, struct workqueue_struct *wq, struct delayed_work *work, unsigned long delay);
bool schedule_delayed_work_on(int cpu, struct delayed_work *work, unsigned long delay);
bool queue_rcu_work(struct workqueue_struct *wq, struct rcu_work *work);

struct demo {
	struct work_struct on, node, plain, schedule_on;
	struct delayed_work delayed_on, mod_on, delayed, mod, schedule_delayed_on;
	struct rcu_work rcu;
	int by_on, by_node, by_plain, by_schedule_on, by_delayed_on, by_mod_on, by_delayed, by_mod, by_schedule_delayed_on, by_rcu;
};

static void on_work(struct work_struct *work)
{
	container_of(work, struct demo, on)->by_on++; // RACE!
}

static void node_work(struct work_struct *work)
{
	container_of(work, struct demo, node)->by_node++; // RACE!
}

static void plain_work(struct work_struct *work)
{
	container_of(work, struct demo, plain)->by_plain++; // RACE!
}

static void schedule_on_work(struct work_struct *work)
{
	container_of(work, struct demo, schedule_on)->by_schedule_on++; // RACE!
}

static void delayed_on_work(struct work_struct *work)
{
	container_of(work, struct demo, delayed_on.work)->by_delayed_on++; // RACE!
}

static void mod_on_work(struct work_struct *work)
{
	container_of(work, struct demo, mod_on.work)->by_mod_on++; // RACE!
}

static void delayed_work(struct work_struct *work)
{
	container_of(work, struct demo, delayed.work)->by_delayed++; // RACE!
}

static void mod_work(struct work_struct *work)
{
	container_of(work, struct demo, mod.work)->by_mod++; // RACE!
}

static void schedule_delayed_on_work(struct work_struct *work)
{
	container_of(work, struct demo, schedule_delayed_on.work)->by_schedule_delayed_on++; // RACE!
}

static void rcu_work(struct work_struct *work)
{
	container_of(work, struct demo, rcu.work)->by_rcu++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->on, on_work);
	INIT_WORK(&demo->node, node_work);
	INIT_WORK(&demo->plain, plain_work);
	INIT_WORK(&demo->schedule_on, schedule_on_work);
	INIT_WORK(&demo->delayed_on.work, delayed_on_work);
	INIT_WORK(&demo->mod_on.work, mod_on_work);
	INIT_WORK(&demo->delayed.work, delayed_work);
	INIT_WORK(&demo->mod.work, mod_work);
	INIT_WORK(&demo->schedule_delayed_on.work, schedule_delayed_on_work);
	INIT_WORK(&demo->rcu.work, rcu_work);

	demo->by_on = 1; // NORACE
	queue_work_on(0, NULL, &demo->on);
	demo->by_on = 2; // RACE!

	demo->by_node = 1; // NORACE
	queue_work_node(0, NULL, &demo->node);
	demo->by_node = 2; // RACE!

	demo->by_plain = 1; // NORACE
	queue_work(NULL, &demo->plain);
	demo->by_plain = 2; // RACE!

	demo->by_schedule_on = 1; // NORACE
	schedule_work_on(0, &demo->schedule_on);
	demo->by_schedule_on = 2; // RACE!

	demo->by_delayed_on = 1; // NORACE
	queue_delayed_work_on(0, NULL, &demo->delayed_on, 1);
	demo->by_delayed_on = 2; // RACE!

	demo->by_mod_on = 1; // NORACE
	mod_delayed_work_on(0, NULL, &demo->mod_on, 1);
	demo->by_mod_on = 2; // RACE!

	demo->by_delayed = 1; // NORACE
	queue_delayed_work(NULL, &demo->delayed, 1);
	demo->by_delayed = 2; // RACE!

	demo->by_mod = 1; // NORACE
	mod_delayed_work(NULL, &demo->mod, 1);
	demo->by_mod = 2; // RACE!

	demo->by_schedule_delayed_on = 1; // NORACE
	schedule_delayed_work_on(0, &demo->schedule_delayed_on, 1);
	demo->by_schedule_delayed_on = 2; // RACE!

	demo->by_rcu = 1; // NORACE
	queue_rcu_work(NULL, &demo->rcu);
	demo->by_rcu = 2; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
