/* What calls a function later, or on other CPUs: before it, nobody else has the new object; after it, the function may
 * run. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/rcupdate.h>

struct firmware;
struct cpumask;
int request_firmware_nowait(struct module *module, bool uevent, const char *name, struct device *dev, gfp_t flags,
			    void *context, void (*cont)(const struct firmware *fw, void *context));
void on_each_cpu_cond_mask(bool (*cond)(int cpu, void *info), void (*func)(void *info), void *info, bool wait,
			   const struct cpumask *mask);
void smp_call_function_many(const struct cpumask *mask, void (*func)(void *info), void *info, bool wait);
void smp_call_function(void (*func)(void *info), void *info, int wait);
int smp_call_function_single(int cpu, void (*func)(void *info), void *info, int wait);

int mod_timer_pending(struct timer_list *timer, unsigned long expires);
void add_timer_on(struct timer_list *timer, int cpu);
int timer_reduce(struct timer_list *timer, unsigned long expires);
void tasklet_hi_schedule(struct tasklet_struct *t);
void tasklet_init(struct tasklet_struct *t, void (*func)(unsigned long), unsigned long data);

struct kthread_delayed_work {
	struct kthread_work work;
};
bool kthread_mod_delayed_work(struct kthread_worker *worker, struct kthread_delayed_work *work, unsigned long delay);

struct demo {
	int firmware, cond, many, all, single, rcu, pending, added, added_on, reduced, high, old_tasklet, thread;
	struct rcu_head head;
	struct timer_list pending_timer, add_timer, add_on_timer, reduce_timer;
	struct tasklet_struct high_tasklet, old_style;
	struct kthread_delayed_work work;
};

static void firmware_ready(const struct firmware *fw, void *context)
{
	((struct demo *)context)->firmware++; // RACE!
}

static void on_cond(void *info)
{
	((struct demo *)info)->cond++; // RACE!
}

static void on_many(void *info)
{
	((struct demo *)info)->many++; // RACE!
}

static void on_all(void *info)
{
	((struct demo *)info)->all++; // RACE!
}

static void on_single(void *info)
{
	((struct demo *)info)->single++; // RACE!
}

static void after_readers(struct rcu_head *head)
{
	container_of(head, struct demo, head)->rcu++; // RACE!
}

static void pending_function(struct timer_list *t)
{
	container_of(t, struct demo, pending_timer)->pending++; // RACE!
}

static void add_function(struct timer_list *t)
{
	container_of(t, struct demo, add_timer)->added++; // RACE!
}

static void add_on_function(struct timer_list *t)
{
	container_of(t, struct demo, add_on_timer)->added_on++; // RACE!
}

static void reduce_function(struct timer_list *t)
{
	container_of(t, struct demo, reduce_timer)->reduced++; // RACE!
}

static void high_function(struct tasklet_struct *t)
{
	container_of(t, struct demo, high_tasklet)->high++; // RACE!
}

static void old_function(unsigned long data)
{
	((struct demo *)data)->old_tasklet++; // RACE!
}

static void thread_work(struct kthread_work *work)
{
	container_of(work, struct demo, work.work)->thread++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	timer_setup(&demo->pending_timer, pending_function, 0);
	timer_setup(&demo->add_timer, add_function, 0);
	timer_setup(&demo->add_on_timer, add_on_function, 0);
	timer_setup(&demo->reduce_timer, reduce_function, 0);
	tasklet_setup(&demo->high_tasklet, high_function);
	tasklet_init(&demo->old_style, old_function, (unsigned long)demo);
	kthread_init_work(&demo->work.work, thread_work);

	demo->pending = 1; // NORACE
	mod_timer_pending(&demo->pending_timer, 1);
	demo->pending = 2; // RACE!

	demo->added = 1; // NORACE
	add_timer(&demo->add_timer);
	demo->added = 2; // RACE!

	demo->added_on = 1; // NORACE
	add_timer_on(&demo->add_on_timer, 0);
	demo->added_on = 2; // RACE!

	demo->reduced = 1; // NORACE
	timer_reduce(&demo->reduce_timer, 1);
	demo->reduced = 2; // RACE!

	demo->high = 1; // NORACE
	tasklet_hi_schedule(&demo->high_tasklet);
	demo->high = 2; // RACE!

	demo->thread = 1; // NORACE
	kthread_mod_delayed_work(NULL, &demo->work, 1);
	demo->thread = 2; // RACE!

	demo->rcu = 1; // NORACE
	call_rcu(&demo->head, after_readers);
	demo->rcu = 2; // RACE!

	demo->firmware = 1; // NORACE
	request_firmware_nowait(THIS_MODULE, true, "demo", NULL, GFP_KERNEL, demo, firmware_ready);
	demo->firmware = 2; // RACE!

	demo->cond = 1; // NORACE
	on_each_cpu_cond_mask(NULL, on_cond, demo, true, NULL);
	demo->cond = 2; // RACE: it waits, which is not used
	demo->many = 1; // RACE: each call gives the object away
	smp_call_function_many(NULL, on_many, demo, false);
	demo->many = 2; // RACE!
	smp_call_function(on_all, demo, false);
	demo->all = 2; // RACE!
	smp_call_function_single(0, on_single, demo, false);
	demo->single = 2; // RACE!

	tasklet_schedule(&demo->old_style);
	demo->old_tasklet = 2; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
