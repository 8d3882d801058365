/* A port of a touchscreen: interrupts come from when it is opened until it is closed, whatever they find meanwhile is there. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/serio.h>

struct touch {
	int index;
	unsigned char data[8];
};

static irqreturn_t touch_interrupt(struct serio *serio, unsigned char data, unsigned int flags)
{
	struct touch *touch = serio_get_drvdata(serio); // NORACE

	touch->data[touch->index & 7] = data; // NORACE
	touch->index++; // NORACE
	return IRQ_HANDLED;
}

static int touch_connect(struct serio *serio, struct serio_driver *driver)
{
	struct touch *touch = kzalloc(sizeof(*touch), GFP_KERNEL);
	int error;

	if (!touch)
		return -ENOMEM;
	serio_set_drvdata(serio, touch); // NORACE
	error = serio_open(serio, driver);
	if (error) {
		serio_set_drvdata(serio, NULL); // NORACE
		kfree(touch); // NORACE
	}
	return error;
}

static void touch_disconnect(struct serio *serio)
{
	struct touch *touch = serio_get_drvdata(serio); // NORACE

	serio_close(serio);
	serio_set_drvdata(serio, NULL); // NORACE
	kfree(touch); // NORACE
}

static int touch_reconnect(struct serio *serio)
{
	struct touch *touch = serio_get_drvdata(serio); // NORACE

	spin_lock_irq(&serio->lock);
	touch->index = 0; // NORACE
	spin_unlock_irq(&serio->lock);
	return 0;
}

static struct serio_driver touch_driver = {
	.reconnect = touch_reconnect,
	.interrupt = touch_interrupt,
	.connect = touch_connect,
	.disconnect = touch_disconnect,
};

static int __init touch_init(void)
{
	return serio_register_driver(&touch_driver);
}
module_init(touch_init);

static void __exit touch_exit(void)
{
	serio_unregister_driver(&touch_driver);
}
module_exit(touch_exit);
MODULE_LICENSE("GPL");
