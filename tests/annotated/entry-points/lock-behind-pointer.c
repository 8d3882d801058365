/* The port of a terminal stays, and so does the lock in it. */
// verdict: race-free
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	tty->termios.c_cflag = set; // NORACE
	return 0;
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.tiocmset = demo_tiocmset,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
