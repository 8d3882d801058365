/* A device of Xenbus: its other end is watched while nobody binds, unbinds or resumes it; a shrinker comes only in between. */
// verdict: potential
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct xenbus_device { const char *nodename; int otherend_id, state; struct device dev; };
struct xenbus_driver {
	const char *name;
	int (*probe)(struct xenbus_device *dev, const void *id);
	void (*otherend_changed)(struct xenbus_device *dev, int state);
	void (*remove)(struct xenbus_device *dev);
	int (*suspend)(struct xenbus_device *dev);
	int (*resume)(struct xenbus_device *dev);
	int (*uevent)(struct xenbus_device *dev, void *env);
	struct device_driver driver;
	int (*read_otherend_details)(struct xenbus_device *dev);
	int (*is_ready)(struct xenbus_device *dev);
	void (*reclaim_memory)(struct xenbus_device *dev);
};
struct xenbus_watch {
	struct list_head list;
	const char *node;
	unsigned int nr_pending;
	bool (*will_handle)(struct xenbus_watch *watch, const char *path, const char *token);
	void (*callback)(struct xenbus_watch *watch, const char *path, const char *token);
};
int __xenbus_register_frontend(struct xenbus_driver *driver, struct module *owner, const char *name);
void xenbus_unregister_driver(struct xenbus_driver *driver);
int xenbus_read_driver_state(const char *path);
int xenbus_dev_is_online(struct xenbus_device *dev);
int xenbus_watch_pathfmt(struct xenbus_device *dev, struct xenbus_watch *watch,
			 bool (*will_handle)(struct xenbus_watch *, const char *, const char *),
			 void (*callback)(struct xenbus_watch *, const char *, const char *), const char *format, ...);
int register_xenbus_watch(struct xenbus_watch *watch);
void unregister_xenbus_watch(struct xenbus_watch *watch);
int bind_evtchn_to_irqhandler(unsigned int channel, irq_handler_t handler, unsigned long flags, const char *name, void *dev);
void unbind_from_irqhandler(unsigned int irq, void *dev);

struct demo {
	struct xenbus_watch watch, other, kept;
	int irq;
	spinlock_t lock;
	int bound, seen, reclaimed, watched, ended, stays, handled, last;
	char first;
};
static struct { int all, changed, loaded; } counts;

static bool demo_will_handle(struct xenbus_watch *watch, const char *path, const char *token)
{
	counts.all++; // RACE!
	return true;
}

static void demo_watched(struct xenbus_watch *watch, const char *path, const char *token)
{
	struct demo *demo = container_of(watch, struct demo, watch);

	demo->watched++; // NORACE
	demo->ended++; // NORACE
	demo->first = path[0]; // NORACE
	counts.changed++; // NORACE
	counts.all++; // RACE!
}

static void demo_kept(struct xenbus_watch *watch, const char *path, const char *token)
{
	struct demo *demo = container_of(watch, struct demo, kept);

	demo->stays++; // RACE!
}

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	spin_lock(&demo->lock);
	demo->handled++; // NORACE
	demo->last = irq; // RACE!
	spin_unlock(&demo->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct xenbus_device *dev, const void *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->bound = counts.loaded; // NORACE
	demo->watched = 1; // NORACE
	demo->handled = 1; // NORACE
	dev_set_drvdata(&dev->dev, demo);
	demo->irq = bind_evtchn_to_irqhandler(1, demo_irq, 0, "demo", demo); // NORACE
	demo->other.node = "other";
	demo->other.callback = demo_watched;
	demo->kept.node = "kept";
	demo->kept.callback = demo_kept;
	xenbus_watch_pathfmt(dev, &demo->watch, demo_will_handle, demo_watched, "%s/%s", dev->nodename, "demo");
	register_xenbus_watch(&demo->kept);
	return xenbus_read_driver_state(dev->nodename) + xenbus_dev_is_online(dev);
}

static void demo_changed(struct xenbus_device *dev, int state)
{
	struct demo *demo = dev_get_drvdata(&dev->dev);

	demo->bound++; // NORACE
	demo->seen++; // RACE!
	counts.changed++; // NORACE
}

static int demo_resume(struct xenbus_device *dev)
{
	struct demo *demo = dev_get_drvdata(&dev->dev);

	demo->bound++; // NORACE
	return 0;
}

static int demo_suspend(struct xenbus_device *dev)
{
	struct demo *demo = dev_get_drvdata(&dev->dev);

	demo->seen++; // RACE!
	return 0;
}

static void demo_reclaim(struct xenbus_device *dev)
{
	struct demo *demo = dev_get_drvdata(&dev->dev);

	demo->reclaimed++; // NORACE
	demo->seen++; // RACE!
}

static int demo_is_ready(struct xenbus_device *dev)
{
	return counts.all; // RACE!
}

static void demo_remove(struct xenbus_device *dev)
{
	struct demo *demo = dev_get_drvdata(&dev->dev);

	demo->bound = 0; // NORACE
	demo->reclaimed = 0; // NORACE
	unregister_xenbus_watch(&demo->watch);
	demo->ended = 0; // NORACE
	demo->stays = 0; // RACE!
	demo->last = 0; // RACE!
	unbind_from_irqhandler(demo->irq, demo);
	demo->handled = 0; // NORACE
}

static struct xenbus_driver demo_driver = {
	.probe = demo_probe,
	.otherend_changed = demo_changed,
	.remove = demo_remove,
	.suspend = demo_suspend,
	.resume = demo_resume,
	.is_ready = demo_is_ready,
	.reclaim_memory = demo_reclaim,
};

static int __init demo_init(void)
{
	counts.loaded = 1; // NORACE
	return __xenbus_register_frontend(&demo_driver, THIS_MODULE, "demo");
}

static void __exit demo_exit(void)
{
	xenbus_unregister_driver(&demo_driver);
	counts.loaded = 0; // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
