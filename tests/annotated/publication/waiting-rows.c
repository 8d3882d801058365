/* Which of the functions that stop something wait until it is over, and which do not. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/interrupt.h>
#include <linux/timer.h>
#include <linux/workqueue.h>
#include <linux/netdevice.h>
#include <linux/hw_random.h>
#include <linux/watchdog.h>

int timer_delete(struct timer_list *timer);
int timer_shutdown(struct timer_list *timer);
int try_to_del_timer_sync(struct timer_list *timer);
int timer_delete_sync(struct timer_list *timer);
int timer_shutdown_sync(struct timer_list *timer);
void devm_free_irq(struct device *dev, unsigned int irq, void *dev_id);
void devm_hwrng_unregister(struct device *dev, struct hwrng *rng);
void unregister_netdevice_queue(struct net_device *dev, void *list);
void __netif_napi_del(struct napi_struct *napi);

int devm_request_threaded_irq(struct device *dev, unsigned int irq, irq_handler_t handler, irq_handler_t thread,
			      unsigned long flags, const char *name, void *dev_id);

struct timerqueue_node { struct list_head node; s64 expires; };
struct hrtimer {
	struct timerqueue_node node;
	s64 _softexpires;
	int (*function)(struct hrtimer *timer);
};
void hrtimer_start_range_ns(struct hrtimer *timer, s64 time, u64 delta, int mode);
int hrtimer_try_to_cancel(struct hrtimer *timer);

struct line {
	int events;
};

struct demo {
	struct timer_list delete_timer, shutdown_timer, try_timer, sync_timer, shutdown_sync_timer;
	struct hrtimer hrtimer;
	struct delayed_work work;
	struct line thread, managed_thread;
	int worked;
	int delete, shutdown, try, sync, shutdown_sync, hr, irq;
};

static void delete_function(struct timer_list *t)
{
	container_of(t, struct demo, delete_timer)->delete++; // RACE!
}

static void shutdown_function(struct timer_list *t)
{
	container_of(t, struct demo, shutdown_timer)->shutdown++; // RACE!
}

static void try_function(struct timer_list *t)
{
	container_of(t, struct demo, try_timer)->try++; // RACE!
}

static void sync_function(struct timer_list *t)
{
	container_of(t, struct demo, sync_timer)->sync++; // NORACE
}

static void shutdown_sync_function(struct timer_list *t)
{
	container_of(t, struct demo, shutdown_sync_timer)->shutdown_sync++; // NORACE
}

static int hr_function(struct hrtimer *timer)
{
	container_of(timer, struct demo, hrtimer)->hr++; // RACE!
	return 0;
}

static irqreturn_t demo_irq(int irq, void *dev_id)
{
	((struct demo *)dev_id)->irq++; // NORACE
	return IRQ_HANDLED;
}

static irqreturn_t thread_irq(int irq, void *dev_id)
{
	((struct line *)dev_id)->events++; // NORACE
	return IRQ_HANDLED;
}

static irqreturn_t managed_thread_irq(int irq, void *dev_id)
{
	((struct line *)dev_id)->events++; // NORACE
	return IRQ_HANDLED;
}

static void demo_work(struct work_struct *work)
{
	container_of(work, struct demo, work.work)->worked++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	timer_setup(&demo->delete_timer, delete_function, 0);
	timer_setup(&demo->shutdown_timer, shutdown_function, 0);
	timer_setup(&demo->try_timer, try_function, 0);
	timer_setup(&demo->sync_timer, sync_function, 0);
	timer_setup(&demo->shutdown_sync_timer, shutdown_sync_function, 0);
	demo->hrtimer.function = hr_function;

	mod_timer(&demo->delete_timer, 1);
	timer_delete(&demo->delete_timer);
	demo->delete = 1; // RACE!
	mod_timer(&demo->shutdown_timer, 1);
	timer_shutdown(&demo->shutdown_timer);
	demo->shutdown = 1; // RACE!
	mod_timer(&demo->try_timer, 1);
	try_to_del_timer_sync(&demo->try_timer);
	demo->try = 1; // RACE!
	mod_timer(&demo->sync_timer, 1);
	timer_delete_sync(&demo->sync_timer);
	demo->sync = 1; // NORACE
	mod_timer(&demo->shutdown_sync_timer, 1);
	timer_shutdown_sync(&demo->shutdown_sync_timer);
	demo->shutdown_sync = 1; // NORACE
	hrtimer_start_range_ns(&demo->hrtimer, 1, 0, 0);
	hrtimer_try_to_cancel(&demo->hrtimer);
	demo->hr = 1; // RACE!

	if (devm_request_irq(&pdev->dev, 1, demo_irq, 0, "demo", demo))
		return -EBUSY;
	devm_free_irq(&pdev->dev, 1, demo);
	demo->irq = 1; // NORACE
	if (request_threaded_irq(2, NULL, thread_irq, 0, "demo", &demo->thread))
		return -EBUSY;
	free_irq(2, &demo->thread);
	demo->thread.events = 1; // NORACE
	if (devm_request_threaded_irq(&pdev->dev, 3, NULL, managed_thread_irq, 0, "demo", &demo->managed_thread))
		return -EBUSY;
	devm_free_irq(&pdev->dev, 3, &demo->managed_thread);
	demo->managed_thread.events = 1; // NORACE

	INIT_DELAYED_WORK(&demo->work, demo_work);
	schedule_delayed_work(&demo->work, 1);
	cancel_delayed_work(&demo->work);
	demo->worked = 1; // RACE!
	return 0;
}

static int by_random, by_watchdog;

static int demo_random(struct hwrng *rng, void *data, size_t max, bool wait)
{
	return by_random; // NORACE
}
static struct hwrng random = { .name = "demo", .read = demo_random };

static int demo_start(struct watchdog_device *wdd)
{
	return by_watchdog; // RACE!
}
static const struct watchdog_ops watchdog_ops = { .start = demo_start };
static struct watchdog_device watchdog = { .ops = &watchdog_ops };

struct net {
	struct napi_struct napi;
	int polled, opened;
};

static int demo_poll(struct napi_struct *napi, int budget)
{
	container_of(napi, struct net, napi)->polled++; // RACE!
	return 0;
}

static int demo_open(struct net_device *dev)
{
	struct net *net = netdev_priv(dev);

	return net->opened; // RACE!
}
static const struct net_device_ops net_ops = { .ndo_open = demo_open };

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct net));
	struct net *net;

	if (!dev)
		return -ENOMEM;
	if (hwrng_register(&random))
		return -EBUSY;
	devm_hwrng_unregister(NULL, &random);
	by_random = 1; // NORACE
	if (watchdog_register_device(&watchdog))
		return -EBUSY;
	watchdog_unregister_device(&watchdog);
	by_watchdog = 1; // RACE!

	net = netdev_priv(dev);
	dev->netdev_ops = &net_ops;
	netif_napi_add(dev, &net->napi, demo_poll);
	napi_enable(&net->napi);
	__netif_napi_del(&net->napi);
	net->polled = 1; // RACE!
	if (register_netdev(dev))
		return -EBUSY;
	unregister_netdevice_queue(dev, NULL);
	net->opened = 1; // RACE!
	return platform_driver_register(&demo_driver);
}

module_init(demo_init);
