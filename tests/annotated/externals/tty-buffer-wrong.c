/* What goes into a terminal's buffer, not always under a lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/spinlock.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

static DEFINE_SPINLOCK(lock);

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	unsigned char text[2] = { 1, 2 };

	spin_lock(&lock);
	tty_insert_flip_string_fixed_flag(&port->port, text, 0, sizeof(text)); // RACE!
	tty_flip_buffer_push(&port->port); // NORACE
	spin_unlock(&lock);
}

static void demo_unthrottle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	tty_flip_buffer_push(&port->port); // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.throttle = demo_throttle,
	.unthrottle = demo_unthrottle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
