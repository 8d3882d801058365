/* What ends before the port is removed ends beside its operations; and nobody waits for one that starts to send (serial_core.c:148). */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_port port; int opened; int *table, *late; };

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };

static int demo_startup(struct uart_port *port)
{
	struct demo *demo = container_of(port, struct demo, port);

	demo->opened = 1; // RACE!
	return demo->table[0]; // RACE!
}

static void demo_shutdown(struct uart_port *port)
{
	container_of(port, struct demo, port)->opened = 0; // RACE!
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	return container_of(port, struct demo, port)->table[1]; // RACE!
}

static void demo_stop_tx(struct uart_port *port)
{
	container_of(port, struct demo, port)->table[2] = 0; // RACE!
}

static void demo_start_tx(struct uart_port *port)
{
	container_of(port, struct demo, port)->late[0] = 1; // RACE!
}

static void demo_release_port(struct uart_port *port)
{
}

static const struct uart_ops demo_ops = {
	.startup = demo_startup, .shutdown = demo_shutdown, .tx_empty = demo_tx_empty, .stop_tx = demo_stop_tx, .start_tx = demo_start_tx,
	.release_port = demo_release_port,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int ret;

	if (!demo)
		return -ENOMEM;
	demo->table = kzalloc(64, GFP_KERNEL);
	demo->late = kzalloc(64, GFP_KERNEL);
	if (!demo->table || !demo->late) {
		kfree(demo);
		return -ENOMEM;
	}
	platform_set_drvdata(pdev, demo);
	demo->port.ops = &demo_ops;
	ret = uart_add_one_port(&demo_uart, &demo->port);
	if (ret) {
		kfree(demo->table); // NORACE
		kfree(demo); // NORACE
	}
	return ret;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->opened = -1; // RACE!
	kfree(demo->table); // RACE!
	uart_remove_one_port(&demo_uart, &demo->port);
	kfree(demo->late); // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
