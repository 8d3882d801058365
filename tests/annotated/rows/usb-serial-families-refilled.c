/* A callback that a driver's table has, and that the driver also puts in an URB of its ports: what it fills again leads to ports of
   this driver alone, as it did before. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct demo {
	int count;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo); // RACE: nobody submits the URB before the port is bound
	return 0;
}

static DEFINE_SPINLOCK(small_lock);
static DEFINE_SPINLOCK(large_lock);

static void small_close(struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port);

	spin_lock(&small_lock);
	demo->count = 1; // NORACE
	spin_unlock(&small_lock);
}

static void demo_callback(struct urb *urb)
{
	struct usb_serial_port *port = urb->context; // RACE!
	struct demo *demo = usb_get_serial_port_data(port); // RACE: the same

	spin_lock(&large_lock);
	WRITE_ONCE(port->minor, demo->count); // NORACE
	spin_unlock(&large_lock);
	usb_fill_int_urb(port->interrupt_out_urb, port->serial->dev, 0, NULL, 0, demo_callback, port); // RACE!
}

static int large_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	usb_fill_int_urb(port->interrupt_out_urb, port->serial->dev, 0, NULL, 0, demo_callback, port); // RACE!
	return 0;
}

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.close = small_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.write_int_callback = demo_callback,
	.open = large_open,
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
