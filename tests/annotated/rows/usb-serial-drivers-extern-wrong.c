/* A function outside may give the second driver what the first one has. */
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static void demo_close(struct usb_serial_port *port)
{
	port->bulk_in_size = 1; // RACE!
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	return port->bulk_in_size; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.close = demo_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.write = demo_write,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_small, &demo_large, NULL };

void demo_inherit(struct usb_serial_driver *to, const struct usb_serial_driver *from);

static int __init demo_init(void)
{
	demo_inherit(&demo_large, &demo_small);
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers);
}
module_exit(demo_exit);

MODULE_LICENSE("GPL");
