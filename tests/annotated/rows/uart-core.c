/* What the serial core does to a port: it counts under the port's lock, and wakes nobody of the driver's but by its operations. */
// verdict: potential
#include <whole/serial.h>

struct demo_port {
	struct uart_port port;
	int sending, opened;
	u32 seen;
};

static void demo_start_tx(struct uart_port *port)
{
	container_of(port, struct demo_port, port)->sending = 1; // NORACE
}

static void demo_stop_tx(struct uart_port *port)
{
	container_of(port, struct demo_port, port)->sending = 0; // NORACE
}

static unsigned int demo_get_mctrl(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	demo->seen = port->icount.cts + port->icount.dcd; // NORACE
	return port->hw_stopped; // NORACE
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	return port->icount.dcd + // RACE!
		port->x_char + // RACE!
		port->sysrq_seq; // RACE!
}

static void demo_serial_out(struct uart_port *port, int offset, int value)
{
}

static const struct uart_ops demo_ops = {
	.tx_empty = demo_tx_empty,
	.get_mctrl = demo_get_mctrl,
	.stop_tx = demo_stop_tx,
	.start_tx = demo_start_tx,
};

static struct demo_port demo = { .port = { .ops = &demo_ops, .serial_out = demo_serial_out } };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct uart_port *port = &demo.port;

	spin_lock(&port->lock);
	uart_handle_dcd_change(port, irq & 1); // RACE!
	uart_handle_cts_change(port, irq & 1);
	if (uart_try_toggle_sysrq(port, irq)) // RACE!
		uart_xchar_out(port, 0); // RACE!
	spin_unlock(&port->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	return request_irq(7, demo_irq, 0, "demo", &demo);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
EXPORT_SYMBOL(demo);
MODULE_LICENSE("GPL");
