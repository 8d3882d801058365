/* The data of a port is freed in port_remove: what takes no lock, like write, may still be under way then. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct port_data {
	int sent;
};

static int demo_port_probe(struct usb_serial_port *port)
{
	struct port_data *data = kzalloc(sizeof(*data), GFP_KERNEL);

	if (!data)
		return -ENOMEM;
	usb_set_serial_port_data(port, data); // NORACE
	data->sent = 1; // NORACE
	return 0;
}

static void demo_port_remove(struct usb_serial_port *port)
{
	struct port_data *data = usb_get_serial_port_data(port); // NORACE

	kfree(data); // RACE!
}

static int demo_write(struct tty_struct *tty, struct usb_serial_port *port, const unsigned char *buf, int count)
{
	struct port_data *data = usb_get_serial_port_data(port); // NORACE

	return data->sent ? count : 0; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.port_probe = demo_port_probe,
	.port_remove = demo_port_remove,
	.write = demo_write,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
