/* The characters that the kernel gives are a struct of the module's: the module has handed it out as characters. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

void demo_keep(unsigned char *buffer, size_t size);

struct demo {
	spinlock_t lock;
	int sent;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo);
	demo_keep((unsigned char *)demo, sizeof(*demo)); // RACE: the function may keep it and write to it now
	return 0;
}

void demo_mark(unsigned char *buf)
{
	buf[4] = 0xff; // RACE!
}
EXPORT_SYMBOL_GPL(demo_mark);

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port);
	unsigned long flags;
	int sent;

	spin_lock_irqsave(&demo->lock, flags);
	sent = demo->sent; // RACE!
	spin_unlock_irqrestore(&demo->lock, flags);
	return sent;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.tiocmget = demo_tiocmget,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
