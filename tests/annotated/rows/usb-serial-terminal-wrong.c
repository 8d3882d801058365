/* A terminal that was remembered may be that of another port; and whose driver_data the driver changes itself may have
   any port. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int control, line;
};

static DEFINE_MUTEX(last_mutex);
static struct tty_struct *last;

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo); // RACE!
	return 0;
}

static void demo_port_remove(struct usb_serial_port *port)
{
	kfree(usb_get_serial_port_data(port)); // RACE!
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	mutex_lock(&last_mutex);
	last = tty; // NORACE
	mutex_unlock(&last_mutex);
	demo->control = 1; // RACE!
	return 0;
}

static void demo_set_termios(struct tty_struct *tty, struct usb_serial_port *port, const struct ktermios *old)
{
	struct usb_serial_port *its;
	struct demo *demo;

	mutex_lock(&last_mutex);
	its = last->driver_data;
	demo = usb_get_serial_port_data(its); // RACE!
	demo->control |= old->c_cflag; // RACE!
	mutex_unlock(&last_mutex);
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.port_remove = demo_port_remove,
	.open = demo_open,
	.set_termios = demo_set_termios,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
