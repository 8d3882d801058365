/* Of a union, a pointer to characters leads to what its members have: here to none. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	spinlock_t lock;
	union {
		int number;
		void *pointer;
	} u;
	unsigned char kind[8];
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	usb_set_serial_port_data(port, demo);
	return usb_control_msg_send(port->serial->dev, 0, 0, 0, 0, 0, demo, sizeof(*demo), 0, GFP_KERNEL);
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	return buf[0];
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port);

	spin_lock(&demo->lock);
	demo->u.number = set; // NORACE
	spin_unlock(&demo->lock);
	return 0;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.write = demo_write,
	.tiocmset = demo_tiocmset,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

MODULE_LICENSE("GPL");
