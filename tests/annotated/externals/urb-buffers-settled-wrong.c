/* The driver itself changes the URB of the port between reading the buffer and putting it back. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static struct usb_serial_port *demo_first;

struct demo {
	spinlock_t lock;
	unsigned char flags[8];
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	WRITE_ONCE(demo_first, port);
	usb_set_serial_port_data(port, demo);
	return usb_control_msg_send(port->serial->dev, 0, 0, 0, 0, 0, demo->flags, sizeof(demo->flags), 0, GFP_KERNEL);
}

static void demo_send(struct usb_serial_port *port, unsigned char c)
{
	struct demo *demo = usb_get_serial_port_data(port);
	unsigned char *buffer;

	spin_lock(&demo->lock);
	buffer = READ_ONCE(port->interrupt_out_urb->transfer_buffer);
	buffer[0] = c; // RACE!
	demo->flags[0] = c; // NORACE
	spin_unlock(&demo->lock);
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	demo_send(tty->driver_data, set);
	return 0;
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	struct urb *urb;
	void *buffer;

	WRITE_ONCE(port->read_urb, READ_ONCE(demo_first)->interrupt_out_urb);
	urb = READ_ONCE(port->read_urb);
	buffer = READ_ONCE(urb->transfer_buffer);
	WRITE_ONCE(port->read_urb, port->interrupt_out_urb);
	urb = READ_ONCE(port->read_urb);
	WRITE_ONCE(urb->transfer_buffer, buffer);
	return 0;
}

static void demo_throttle(struct tty_struct *tty)
{
	demo_send(tty->driver_data, 2);
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.open = demo_open,
	.tiocmset = demo_tiocmset,
	.throttle = demo_throttle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

MODULE_LICENSE("GPL");
