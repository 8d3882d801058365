/* What the serial core calls under the mutex of the terminal's port or under the port's lock, from when the port is added until it is removed. */
// verdict: race-free
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_port port; int opened, lines, sent, said, base; };

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };

static int demo_startup(struct uart_port *port)
{
	container_of(port, struct demo, port)->opened++; // NORACE
	return container_of(port, struct demo, port)->base; // NORACE
}

static void demo_shutdown(struct uart_port *port)
{
	container_of(port, struct demo, port)->opened--; // NORACE
}

static void demo_set_termios(struct uart_port *port, struct ktermios *new, const struct ktermios *old)
{
	struct demo *demo = container_of(port, struct demo, port);

	if (demo->opened) // NORACE
		new->c_ospeed = 9600; // NORACE
}

static void demo_pm(struct uart_port *port, unsigned int state, unsigned int oldstate)
{
	container_of(port, struct demo, port)->opened = 0; // NORACE
}

static int demo_verify_port(struct uart_port *port, struct serial_struct *info)
{
	info->irq = container_of(port, struct demo, port)->opened; // NORACE
	return 0;
}

static void demo_set_mctrl(struct uart_port *port, unsigned int mctrl)
{
	container_of(port, struct demo, port)->lines = mctrl; // NORACE
}

static unsigned int demo_get_mctrl(struct uart_port *port)
{
	return container_of(port, struct demo, port)->lines; // NORACE
}

static void demo_enable_ms(struct uart_port *port)
{
	container_of(port, struct demo, port)->lines = 1; // NORACE
}

static void demo_stop_rx(struct uart_port *port)
{
	container_of(port, struct demo, port)->lines = 2; // NORACE
}

static void demo_start_tx(struct uart_port *port)
{
	container_of(port, struct demo, port)->sent++; // NORACE
	if (port->state)
		container_of(port, struct demo, port)->said = port->state->xmit.buf[port->state->xmit.tail++]; // NORACE
}

static void demo_flush_buffer(struct uart_port *port)
{
	container_of(port, struct demo, port)->sent = 0; // NORACE
	if (port->state)
		port->state->xmit.tail = 0; // NORACE
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	return container_of(port, struct demo, port)->base; // NORACE
}

static const struct uart_ops demo_ops = {
	.startup = demo_startup, .shutdown = demo_shutdown, .set_termios = demo_set_termios, .pm = demo_pm,
	.verify_port = demo_verify_port, .set_mctrl = demo_set_mctrl, .get_mctrl = demo_get_mctrl,
	.enable_ms = demo_enable_ms, .stop_rx = demo_stop_rx, .start_tx = demo_start_tx,
	.flush_buffer = demo_flush_buffer, .tx_empty = demo_tx_empty,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int ret;

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->port.ops = &demo_ops;
	demo->base = 3; // NORACE
	demo->opened = 0; // NORACE
	demo->lines = 0; // NORACE
	ret = uart_add_one_port(&demo_uart, &demo->port);
	if (ret)
		kfree(demo);
	return ret;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
