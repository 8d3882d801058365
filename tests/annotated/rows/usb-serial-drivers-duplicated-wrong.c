/* The second driver is made of the first one when the module is loaded, from memory, and so has its functions, too. */
#include <linux/module.h>
#include <linux/slab.h>
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

static struct usb_serial_driver *demo_large;

static struct usb_serial_driver *demo_drivers[] = { &demo_small, NULL, NULL };

static int __init demo_init(void)
{
	demo_large = kmemdup(&demo_small, sizeof(demo_small), GFP_KERNEL);
	if (!demo_large)
		return -ENOMEM;
	demo_large->write = demo_write;
	demo_drivers[1] = demo_large;
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers);
}
module_exit(demo_exit);

MODULE_LICENSE("GPL");
