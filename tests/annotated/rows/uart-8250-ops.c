/* The functions of a port of the 8250 core, under the locks of its operations; and those of its DMA. */
// verdict: race-free
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { int opened, lines, sending; struct uart_8250_dma dma; };

static int demo_startup(struct uart_port *port)
{
	port->fifosize++; // NORACE
	return 0;
}

static void demo_shutdown(struct uart_port *port)
{
	port->fifosize--; // NORACE
}

static void demo_pm(struct uart_port *port, unsigned int state, unsigned int old)
{
	port->uartclk = port->fifosize; // NORACE
}

static void demo_set_ldisc(struct uart_port *port, struct ktermios *termios)
{
	termios->c_ospeed = port->uartclk; // NORACE
}

static void demo_set_mctrl(struct uart_port *port, unsigned int mctrl)
{
	port->status = mctrl; // NORACE
}

static unsigned int demo_get_mctrl(struct uart_port *port)
{
	return port->status; // NORACE
}

static int demo_rs485_config(struct uart_port *port, struct ktermios *termios, struct serial_rs485 *rs485)
{
	port->status = port->uartclk; // NORACE
	return 0;
}

static int demo_iso7816_config(struct uart_port *port, struct serial_iso7816 *iso7816)
{
	port->status = 1; // NORACE
	iso7816->flags = 0; // NORACE
	return 0;
}

static unsigned int demo_get_divisor(struct uart_port *port, unsigned int baud, unsigned int *frac)
{
	*frac = 0; // NORACE
	return baud;
}

static int demo_tx_dma(struct uart_8250_port *p)
{
	p->port.x_char = 0; // NORACE
	return 0;
}

static int demo_rx_dma(struct uart_8250_port *p)
{
	return p->port.x_char + p->port.status; // NORACE
}

static void demo_prepare_tx_dma(struct uart_8250_port *p)
{
	p->port.x_char++; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct uart_8250_port up = {};

	if (!demo)
		return -ENOMEM;
	demo->opened = 0; // NORACE
	up.port.private_data = demo;
	up.port.startup = demo_startup;
	up.port.shutdown = demo_shutdown;
	up.port.pm = demo_pm;
	up.port.set_ldisc = demo_set_ldisc;
	up.port.set_mctrl = demo_set_mctrl;
	up.port.get_mctrl = demo_get_mctrl;
	up.port.rs485_config = demo_rs485_config;
	up.port.iso7816_config = demo_iso7816_config;
	up.port.get_divisor = demo_get_divisor;
	demo->dma.tx_dma = demo_tx_dma;
	demo->dma.rx_dma = demo_rx_dma;
	demo->dma.prepare_tx_dma = demo_prepare_tx_dma;
	up.dma = &demo->dma;
	return serial8250_register_8250_port(&up);
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
