/* Who removes the port gives up its resources without the mutex of the terminal port, beside those who are in its operations. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_port port; int claimed, asked; };

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };

static void demo_release_port(struct uart_port *port)
{
	container_of(port, struct demo, port)->claimed = 0; // RACE!
}

static int demo_request_port(struct uart_port *port)
{
	container_of(port, struct demo, port)->claimed = 1; // RACE!
	return 0;
}

static void demo_config_port(struct uart_port *port, int flags)
{
	port->type = container_of(port, struct demo, port)->claimed; // RACE!
}

static const struct uart_ops demo_ops = { .release_port = demo_release_port, .request_port = demo_request_port, .config_port = demo_config_port };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->port.ops = &demo_ops;
	platform_set_drvdata(pdev, demo);
	return uart_add_one_port(&demo_uart, &demo->port);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	uart_remove_one_port(&demo_uart, &demo->port); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
