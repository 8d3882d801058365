/* An URB in a struct of the driver is no allocation of its own: who goes through the bytes of the struct goes through the URB. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int lines;
	struct urb urb;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo);
	return 0;
}

static void demo_clear(unsigned char *bytes, int n)
{
	while (n--)
		bytes[n] = 0; // RACE!
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port);

	demo_clear((unsigned char *)demo, sizeof(*demo));
	return 0;
}

static void demo_read_bulk_callback(struct urb *urb)
{
	if (urb->status) // RACE!
		urb->actual_length = 0; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.read_bulk_callback = demo_read_bulk_callback,
	.tiocmset = demo_tiocmset,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
