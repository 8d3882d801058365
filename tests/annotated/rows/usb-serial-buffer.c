/* The buffer that a port is to fill belongs to the call. */
// assume: type-split
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	spinlock_t lock;
	int sent;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	usb_set_serial_port_data(port, demo); // RACE: the order of port_probe and prepare_write_buffer is not in the rows
	return 0;
}

static int demo_prepare_write_buffer(struct usb_serial_port *port, void *buffer, size_t size)
{
	struct demo *demo = usb_get_serial_port_data(port); // RACE: the same
	unsigned char *out = buffer;
	unsigned long flags;

	out[0] = 0xff; // NORACE
	spin_lock_irqsave(&demo->lock, flags);
	demo->sent++; // NORACE
	spin_unlock_irqrestore(&demo->lock, flags);
	return 1;
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port);
	unsigned long flags;
	int sent;

	spin_lock_irqsave(&demo->lock, flags);
	sent = demo->sent; // NORACE
	spin_unlock_irqrestore(&demo->lock, flags);
	return sent;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.prepare_write_buffer = demo_prepare_write_buffer,
	.tiocmget = demo_tiocmget,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
