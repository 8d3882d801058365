/* What the 8250 core does to a port in the functions that drivers call for their own. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_8250_port *up; int level; };

void serial8250_do_set_termios(struct uart_port *port, struct ktermios *termios, const struct ktermios *old);
void dw8250_do_set_termios(struct uart_port *port, struct ktermios *termios, const struct ktermios *old);
void serial8250_do_set_ldisc(struct uart_port *port, struct ktermios *termios);
void serial8250_do_pm(struct uart_port *port, unsigned int state, unsigned int old);
void serial8250_do_set_mctrl(struct uart_port *port, unsigned int mctrl);
void serial8250_do_set_divisor(struct uart_port *port, unsigned int baud, unsigned int quot, unsigned int frac);
void serial8250_clear_and_reinit_fifos(struct uart_8250_port *up);
void serial8250_suspend_port(int line);

static void demo_set_termios(struct uart_port *port, struct ktermios *new, const struct ktermios *old)
{
	serial8250_do_set_termios(port, new, old); // RACE!
	dw8250_do_set_termios(port, new, old); // RACE!
}

static void demo_set_ldisc(struct uart_port *port, struct ktermios *termios)
{
	serial8250_do_set_ldisc(port, termios); // RACE!
}

static void demo_pm(struct uart_port *port, unsigned int state, unsigned int old)
{
	serial8250_do_pm(port, state, old);
}

static void demo_set_mctrl(struct uart_port *port, unsigned int mctrl)
{
	serial8250_do_set_mctrl(port, mctrl); // NORACE
}

static void demo_serial_out(struct uart_port *port, int offset, int value)
{
	serial8250_clear_and_reinit_fifos((struct uart_8250_port *)port); // RACE!
	serial8250_do_set_divisor(port, 1, 2, 3); // RACE!
}

static int demo_handle_irq(struct uart_port *port)
{
	int seen = port->regshift + port->irq + port->status * 0; // RACE!

	seen += port->icount.rx + port->x_char; // NORACE
	spin_lock(&port->lock);
	seen += port->frame_time; // NORACE
	spin_unlock(&port->lock);
	return seen + port->flags + port->frame_time; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct uart_8250_port up = {};

	if (!demo)
		return -ENOMEM;
	up.port.private_data = demo;
	up.port.set_termios = demo_set_termios;
	up.port.set_ldisc = demo_set_ldisc;
	up.port.pm = demo_pm;
	up.port.set_mctrl = demo_set_mctrl;
	up.port.serial_out = demo_serial_out;
	up.port.handle_irq = demo_handle_irq;
	serial8250_register_8250_port(&up);
	serial8250_suspend_port(0);
	demo->level = 1; // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
