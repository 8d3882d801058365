/* A console's termios are set without the mutex of the terminal's port; divisors and interrupts come without the port's lock; the functions stay when the port is given back. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { int opened, lines, line; };

static int demo_startup(struct uart_port *port)
{
	((struct demo *)port->private_data)->opened = 1; // RACE!
	return 0;
}

static void demo_set_termios(struct uart_port *port, struct ktermios *new, const struct ktermios *old)
{
	port->uartclk = ((struct demo *)port->private_data)->opened; // RACE!
}

static void demo_set_mctrl(struct uart_port *port, unsigned int mctrl)
{
	port->status = mctrl; // RACE!
	port->mctrl = 0; // RACE!
}

static void demo_set_divisor(struct uart_port *port, unsigned int baud, unsigned int quot, unsigned int frac)
{
	port->status = baud; // RACE!
}

static int demo_handle_irq(struct uart_port *port)
{
	return port->mctrl; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct uart_8250_port up = {};

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	up.port.private_data = demo;
	up.port.startup = demo_startup;
	up.port.set_termios = demo_set_termios;
	up.port.set_mctrl = demo_set_mctrl;
	up.port.set_divisor = demo_set_divisor;
	up.port.handle_irq = demo_handle_irq;
	demo->line = serial8250_register_8250_port(&up);
	return demo->line < 0 ? demo->line : 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	serial8250_unregister_port(demo->line);
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
