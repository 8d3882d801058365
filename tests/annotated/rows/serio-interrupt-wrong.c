/* A port of a touchscreen gets its data after it is opened, and is closed after its data is freed: interrupts come before and after. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/serio.h>

struct touch {
	int index;
	unsigned char data[8];
};

static irqreturn_t touch_interrupt(struct serio *serio, unsigned char data, unsigned int flags)
{
	struct touch *touch = serio_get_drvdata(serio); // RACE!

	touch->data[touch->index & 7] = data; // RACE!
	touch->index++; // RACE!
	return IRQ_HANDLED;
}

static int touch_connect(struct serio *serio, struct serio_driver *driver)
{
	struct touch *touch = kzalloc(sizeof(*touch), GFP_KERNEL);
	int error;

	if (!touch)
		return -ENOMEM;
	error = serio_open(serio, driver);
	if (error) {
		kfree(touch); // NORACE
		return error;
	}
	touch->index = 1; // NORACE
	serio_set_drvdata(serio, touch); // RACE!
	return 0;
}

static void touch_disconnect(struct serio *serio)
{
	struct touch *touch = serio_get_drvdata(serio); // NORACE

	serio_set_drvdata(serio, NULL); // RACE!
	kfree(touch); // RACE!
	serio_close(serio);
}

static int touch_reconnect(struct serio *serio)
{
	struct touch *touch = serio_get_drvdata(serio); // NORACE

	touch->index = 0; // RACE!
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
