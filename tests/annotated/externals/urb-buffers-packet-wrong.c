/* What the buffer holds is a struct of the driver's, for who takes it from the port. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct packet {
	unsigned char kind, size;
};

struct demo {
	spinlock_t lock, other;
	unsigned char flags[8];
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	spin_lock_init(&demo->other);
	usb_set_serial_port_data(port, demo);
	return usb_control_msg_send(port->serial->dev, 0, 0, 0, 0, 0, demo->flags, sizeof(demo->flags), 0, GFP_KERNEL);
}

static void demo_write_int_callback(struct urb *urb)
{
}

static void demo_send(struct usb_serial_port *port, unsigned char c)
{
	struct demo *demo = usb_get_serial_port_data(port);
	unsigned char *buffer;

	spin_lock(&demo->lock);
	buffer = port->interrupt_out_urb->transfer_buffer;
	buffer[1] = c; // RACE!
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
	struct demo *demo = usb_get_serial_port_data(port);

	spin_lock(&demo->lock);
	usb_fill_int_urb(port->interrupt_out_urb, port->serial->dev, 0, port->interrupt_out_urb->transfer_buffer, 1,
			 demo_write_int_callback, port);
	spin_unlock(&demo->lock);
	return 0;
}

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port);
	struct packet *packet = (struct packet *)port->interrupt_out_buffer;

	spin_lock(&demo->other);
	packet->size = 2; // RACE!
	spin_unlock(&demo->other);
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
