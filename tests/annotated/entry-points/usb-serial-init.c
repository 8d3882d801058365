/* A driver of USB serial ports is called from when it is registered on, and no sooner. */
// verdict: potential
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static int early, late;

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	if (early) // NORACE
		return 0;
	return late; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.open = demo_open,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	int err;

	early = 1; // NORACE
	err = usb_serial_register_drivers(demo_drivers, "demo", NULL); // NORACE
	late = 1; // RACE!
	return err;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers); // NORACE
}
module_exit(demo_exit);
