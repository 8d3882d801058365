/* The mutex of the terminal's port and the port's lock are two locks, some operations run without either, and from when the port is added. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_port port; int opened, lines, empty, held, polled, late, shared; };

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };
static int all;

static int demo_startup(struct uart_port *port)
{
	struct demo *demo = container_of(port, struct demo, port);

	demo->opened = 1; // RACE!
	demo->empty = 1; // RACE!
	all++; // RACE!
	return demo->late; // RACE!
}

static void demo_start_tx(struct uart_port *port)
{
	struct demo *demo = container_of(port, struct demo, port);

	if (demo->opened) // RACE!
		demo->held++; // RACE!
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	return container_of(port, struct demo, port)->empty; // RACE!
}

static void demo_throttle(struct uart_port *port)
{
	container_of(port, struct demo, port)->held = 1; // RACE!
}

static void demo_send_xchar(struct uart_port *port, char ch)
{
	container_of(port, struct demo, port)->shared = ch; // RACE!
}

static int demo_poll_get_char(struct uart_port *port)
{
	return container_of(port, struct demo, port)->polled; // RACE!
}

static void demo_set_termios(struct uart_port *port, struct ktermios *new, const struct ktermios *old)
{
	container_of(port, struct demo, port)->polled = 1; // RACE!
}

static const struct uart_ops demo_ops = {
	.startup = demo_startup, .start_tx = demo_start_tx, .tx_empty = demo_tx_empty, .throttle = demo_throttle,
	.send_xchar = demo_send_xchar, .poll_get_char = demo_poll_get_char, .set_termios = demo_set_termios,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int ret;

	if (!demo)
		return -ENOMEM;
	platform_set_drvdata(pdev, demo);
	demo->port.ops = &demo_ops;
	ret = uart_add_one_port(&demo_uart, &demo->port);
	demo->late = 1; // RACE!
	return ret;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
