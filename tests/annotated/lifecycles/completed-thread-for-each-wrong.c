/* A thread for each device, and only one is waited for. */
#include <linux/module.h>
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/device.h>

int bus_for_each_dev(struct bus_type *bus, struct device *start, void *data, int (*fn)(struct device *dev, void *data));
extern struct bus_type *demo_bus;

static DECLARE_COMPLETION(exited);
static int stop;
static int rounds;

static int demo_thread(void *data)
{
	while (!READ_ONCE(stop)) {
		rounds++; // RACE!
		msleep(10);
	}
	complete(&exited);
	return 0;
}

static int demo_start(struct device *dev, void *data)
{
	kthread_run(demo_thread, NULL, "demo");
	return 0;
}

static int __init demo_init(void)
{
	return bus_for_each_dev(demo_bus, NULL, NULL, demo_start);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	WRITE_ONCE(stop, 1);
	wait_for_completion(&exited);
	rounds = 0; // RACE!
}
module_exit(demo_exit);
