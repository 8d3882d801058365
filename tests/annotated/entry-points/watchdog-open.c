/* Opening a watchdog starts it without the lock that its other operations have. */
// verdict: potential
#include <linux/module.h>
#include <linux/watchdog.h>

static unsigned int step;

static int demo_start(struct watchdog_device *wdd)
{
	return wdd->min_timeout + step; // RACE!
}

static int demo_set_timeout(struct watchdog_device *wdd, unsigned int timeout)
{
	wdd->timeout = timeout; // NORACE
	return 0;
}

static unsigned int demo_get_timeleft(struct watchdog_device *wdd)
{
	wdd->min_timeout = wdd->timeout - step; // RACE!
	return wdd->min_timeout; // NORACE
}

static const struct watchdog_ops demo_ops = {
	.owner = THIS_MODULE,
	.start = demo_start,
	.set_timeout = demo_set_timeout,
	.get_timeleft = demo_get_timeleft,
};

static struct watchdog_device demo_wdd = {
	.ops = &demo_ops,
};

static int __init demo_init(void)
{
	step = 30; // NORACE
	return watchdog_register_device(&demo_wdd);
}
module_init(demo_init);
