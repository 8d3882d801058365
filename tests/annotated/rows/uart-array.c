/* What no row can say yet: ports in an array of the driver's own struct (sccnxp.c): two pointers to ports are one port, or two apart. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { int nr; struct uart_port port[2]; };

static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 4 };

static void demo_config_port(struct uart_port *port, int flags)
{
	port->type = 1; // RACE: a pointer into an array of structs may be anywhere in it
}

static const char *demo_type(struct uart_port *port)
{
	return port->type ? "demo" : NULL; // RACE: the same
}

static const struct uart_ops demo_ops = { .config_port = demo_config_port, .type = demo_type };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int i;

	if (!demo)
		return -ENOMEM;
	for (i = 0; i < 2; i++) {
		demo->port[i].ops = &demo_ops; // RACE: the same
		demo->port[i].line = i; // RACE: the same
		uart_add_one_port(&demo_uart, &demo->port[i]); // RACE: the same
	}
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
