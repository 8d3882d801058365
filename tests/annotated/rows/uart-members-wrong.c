/* What the module itself puts into members that the core sets is followed: a buffer that is its own, data that it changes. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_port port; char text[16]; int level; };

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };

static int demo_startup(struct uart_port *port)
{
	struct demo *demo = container_of(port, struct demo, port);

	port->state->xmit.buf = demo->text; // RACE!
	demo->text[1] = 1; // RACE!
	port->private_data = demo->text; // RACE!
	port->name = demo->text; // RACE!
	return 0;
}

static void demo_start_tx(struct uart_port *port)
{
	struct demo *demo = container_of(port, struct demo, port);

	demo->level = port->state->xmit.buf[1]; // RACE!
	demo->level += port->name[1]; // RACE!
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	return ((char *)port->private_data)[1]; // RACE!
}

static const struct uart_ops demo_ops = { .startup = demo_startup, .start_tx = demo_start_tx, .tx_empty = demo_tx_empty };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->port.ops = &demo_ops;
	return uart_add_one_port(&demo_uart, &demo->port); // RACE: what private_data of another port leads to might be this one
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
