/* A USB serial port: settings under its mutex, which the functions of the other direction do not take. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

struct usb_serial_endpoints { int num_bulk_in; };
struct serial_struct { int line; };
struct serial_icounter_struct { int cts; };
int usb_serial_generic_submit_read_urbs(struct usb_serial_port *port, gfp_t flags);
int usb_serial_claim_interface(struct usb_serial *serial, struct usb_interface *intf);

struct demo {
	int settings, control, counts, completions, raised, taken;
};

static int demo_probe(struct usb_serial *serial, const struct usb_device_id *id)
{
	return !serial->sibling; // NORACE
}

/* Under the interface's lock, as probe; unlike attach, not of the same one here. */
static int demo_calc_num_ports(struct usb_serial *serial, struct usb_serial_endpoints *endpoints)
{
	endpoints->num_bulk_in = 1; // NORACE
	return usb_serial_claim_interface(serial, NULL); // NORACE
}

static int demo_port_probe(struct usb_serial_port *port)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	usb_set_serial_port_data(port, demo); // NORACE
	return 0;
}

static int demo_open(struct tty_struct *tty, struct usb_serial_port *port)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->settings = 0; // NORACE
	demo->counts = 0; // RACE!
	demo->raised = 0; // RACE!
	return usb_serial_generic_submit_read_urbs(port, GFP_KERNEL); // RACE!
}

static int demo_get_serial(struct tty_struct *tty, struct serial_struct *serial)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	serial->line = demo->settings++; // NORACE
	return 0;
}

static int demo_tiocmget(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	return demo->settings++; // NORACE
}

static int demo_get_icount(struct tty_struct *tty, struct serial_icounter_struct *icount)
{
	struct usb_serial_port *port = tty->driver_data;
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	icount->cts = demo->counts++; // RACE!
	return 0;
}

static void demo_dtr_rts(struct usb_serial_port *port, int on)
{
	struct demo *demo = usb_get_serial_port_data(port); // NORACE

	demo->raised++; // RACE!
}

static int demo_chars_in_buffer(struct tty_struct *tty)
{
	struct usb_serial_port *port = tty->driver_data;

	return port->read_urbs_free; // RACE!
}

static int completed;

static void demo_read_bulk(struct urb *urb)
{
	completed++; // RACE!
}

static void demo_process(struct urb *urb)
{
	completed--; // RACE!
}

static struct usb_serial_driver demo_device = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.probe = demo_probe,
	.calc_num_ports = demo_calc_num_ports,
	.port_probe = demo_port_probe,
	.open = demo_open,
	.get_serial = demo_get_serial,
	.tiocmget = demo_tiocmget,
	.get_icount = demo_get_icount,
	.dtr_rts = demo_dtr_rts,
	.chars_in_buffer = demo_chars_in_buffer,
	.read_bulk_callback = demo_read_bulk,
	.process_read_urb = demo_process,
};

static struct usb_serial_driver *const demo_drivers[] = { &demo_device, NULL };

static int __init demo_init(void)
{
	return usb_serial_register_drivers(demo_drivers, "demo", NULL);
}
module_init(demo_init);
