/* A third driver is made of parts of the other two. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
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

static int demo_attach(struct usb_serial *serial);

static struct usb_serial_driver demo_small = {
	.driver = { .name = "demo-small", .owner = THIS_MODULE },
	.attach = demo_attach,
	.close = demo_close,
};

static struct usb_serial_driver demo_large = {
	.driver = { .name = "demo-large", .owner = THIS_MODULE },
	.attach = demo_attach,
	.write = demo_write,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_small, &demo_large, NULL };

static DEFINE_MUTEX(demo_mutex);
static struct usb_serial_driver *demo_made, *demo_more[] = { NULL, NULL };

static int demo_attach(struct usb_serial *serial)
{
	mutex_lock(&demo_mutex);
	if (!demo_made)
		demo_made = kzalloc(sizeof(*demo_made), GFP_KERNEL);
	if (demo_made) {
		if (serial->type->close)
			memcpy(&demo_made->close, &serial->type->close, sizeof(demo_made->close));
		if (serial->type->write)
			memcpy(&demo_made->write, &serial->type->write, sizeof(demo_made->write));
		demo_more[0] = demo_made;
		usb_serial_register_drivers(demo_more, "demo-more", NULL);
	}
	mutex_unlock(&demo_mutex);
	return 0;
}

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
