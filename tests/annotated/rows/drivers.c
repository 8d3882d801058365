/* Drivers of ports: connected under the port's mutex, interrupted under its lock; registered late, and gone when that is
   said to be over. */
// verdict: potential
// assume: environment: row driver_register
#include <linux/module.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct serio {
	int id, bytes, connected;
	spinlock_t lock;
	struct mutex drv_mutex;
	struct device dev;
};
struct serio_driver {
	const char *description;
	void (*write_wakeup)(struct serio *serio);
	irqreturn_t (*interrupt)(struct serio *serio, unsigned char data, unsigned int flags);
	int (*connect)(struct serio *serio, struct serio_driver *driver);
	void (*disconnect)(struct serio *serio);
	struct device_driver driver;
};
int __serio_register_driver(struct serio_driver *driver, struct module *owner, const char *name);
void serio_unregister_driver(struct serio_driver *driver);
int driver_register(struct device_driver *driver);
void driver_unregister(struct device_driver *driver);

static int setting, wakeups;

static void demo_write_wakeup(struct serio *serio)
{
	wakeups++; // RACE!
}

static irqreturn_t demo_interrupt(struct serio *serio, unsigned char data, unsigned int flags)
{
	serio->bytes++; // NORACE
	serio->id = data; // RACE!
	return IRQ_HANDLED;
}

static int demo_connect(struct serio *serio, struct serio_driver *driver)
{
	unsigned long flags;

	serio->connected = setting; // NORACE
	spin_lock_irqsave(&serio->lock, flags);
	serio->bytes = 0; // NORACE
	spin_unlock_irqrestore(&serio->lock, flags);
	return 0;
}

static void demo_disconnect(struct serio *serio)
{
	serio->connected = 0; // NORACE
	serio->id = 0; // RACE!
}

static struct serio_driver demo_driver = {
	.write_wakeup = demo_write_wakeup,
	.interrupt = demo_interrupt,
	.connect = demo_connect,
	.disconnect = demo_disconnect,
};
static struct device_driver demo_bus_driver;

static int __init demo_init(void)
{
	setting = 1; // NORACE
	if (driver_register(&demo_bus_driver))
		return -ENODEV;
	return __serio_register_driver(&demo_driver, THIS_MODULE, "demo");
}

static void __exit demo_exit(void)
{
	driver_unregister(&demo_bus_driver);
	serio_unregister_driver(&demo_driver);
	setting = 0; // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
