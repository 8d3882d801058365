/* What is written to a terminal is in a buffer of who writes, and no bytes that the driver has given away. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

void demo_load(const unsigned char *flags, size_t len);

struct demo {
	spinlock_t lock;
	unsigned char flags[8], out[64];
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	usb_set_serial_port_data(port, demo);
	demo_load(demo->flags, sizeof(demo->flags));
	return 0;
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int n)
{
	struct demo *demo = usb_get_serial_port_data(port);
	unsigned char first = buf[0]; // NORACE

	spin_lock(&demo->lock);
	demo->out[0] = first; // NORACE
	spin_unlock(&demo->lock);
	return 1;
}

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port);

	spin_lock(&demo->lock);
	demo->flags[0] = 1; // NORACE
	spin_unlock(&demo->lock);
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.write = demo_write,
	.throttle = demo_throttle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

MODULE_LICENSE("GPL");
