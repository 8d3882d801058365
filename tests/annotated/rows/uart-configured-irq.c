/* What no row can say yet: a port is configured only while it is shut down (serial_core.c:1159, 2579, 909), so not beside what startup registers and shutdown ends. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };

static void demo_start_tx(struct uart_port *port)
{
	port->x_char = 0;
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct uart_port *port = arg;

	spin_lock(&port->lock); // RACE: the core makes the lock after others may know the port
	port->icount.rx += !port->membase; // RACE: that nobody configures a port that is started is not known
	spin_unlock(&port->lock);
	return IRQ_HANDLED;
}

static int demo_startup(struct uart_port *port)
{
	return request_irq(port->irq, demo_irq, 0, "demo", port);
}

static void demo_config_port(struct uart_port *port, int flags)
{
	port->membase = NULL; // RACE: the same
}

static void demo_shutdown(struct uart_port *port)
{
	free_irq(port->irq, port);
}

static const struct uart_ops demo_ops = { .start_tx = demo_start_tx, .startup = demo_startup, .shutdown = demo_shutdown, .config_port = demo_config_port };

static int demo_probe(struct platform_device *pdev)
{
	struct uart_port *port = kzalloc(sizeof(*port), GFP_KERNEL);

	if (!port)
		return -ENOMEM;
	port->ops = &demo_ops;
	return uart_add_one_port(&demo_uart, port); // RACE: the core makes the lock after others may know the port
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
