/* The second driver gets the functions of the first byte by byte. */
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

static int __init demo_init(void)
{
	const char *from = (const char *)&demo_small.close;
	char *to = (char *)&demo_large.close;
	int i;

	for (i = 0; i < sizeof(demo_large.close); i++)
		to[i] = from[i];
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers);
}
module_exit(demo_exit);

MODULE_LICENSE("GPL");
