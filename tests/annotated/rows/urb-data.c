/* The buffer of an URB is data: who goes through its bytes touches no struct of the driver. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	spinlock_t lock;
	int lines, unlocked;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	usb_set_serial_port_data(port, demo); // NORACE
	return 0;
}

static void demo_read_bulk_callback(struct urb *urb)
{
	unsigned char *data = urb->transfer_buffer;

	data[0] = 0; // RACE!
}

static int demo_tiocmset(struct tty_struct *tty, unsigned int set, unsigned int clear)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	spin_lock_irq(&demo->lock);
	demo->lines |= set; // NORACE
	demo->lines &= ~clear; // NORACE
	spin_unlock_irq(&demo->lock);
	demo->unlocked = set; // RACE!
	return 0;
}

static void demo_throttle(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	spin_lock_irq(&demo->lock);
	demo->lines = 0; // NORACE
	demo->unlocked = 0; // RACE!
	spin_unlock_irq(&demo->lock);
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.read_bulk_callback = demo_read_bulk_callback,
	.tiocmset = demo_tiocmset,
	.throttle = demo_throttle,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
