/* A terminal gets the port of another driver, whose functions get that terminal then. */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static struct usb_serial_port *other;

static int large_port_probe(struct usb_serial_port *port)
{
	xchg(&other, port);
	return 0;
}

static int small_tiocmget(struct tty_struct *tty)
{
	tty->flags = 1; // RACE!
	WRITE_ONCE(tty->driver_data, READ_ONCE(other));
	return 0;
}

static int large_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	return tty->flags; // RACE!
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.tiocmget = small_tiocmget,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.port_probe = large_port_probe,
	.tiocmset = large_tiocmset,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_small, &demo_large, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	usb_serial_deregister_drivers(demo_drivers);
}
module_exit(demo_exit);

MODULE_LICENSE("GPL");
