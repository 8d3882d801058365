/* Who changes the port of a terminal changes which lock its calls have. */
// verdict: potential
#include <linux/module.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	tty->termios.c_cflag = set; // RACE!
	return 0;
}

static void demo_throttle(struct tty_struct *tty)
{
	tty->driver_data = NULL; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.tiocmset = demo_tiocmset,
	.throttle = demo_throttle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
