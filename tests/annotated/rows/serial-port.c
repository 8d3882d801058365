/* A serial port's transmitter is started and stopped under the port's lock; whether it is empty may be asked at any time. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/serial_core.h>

struct demo_port {
	struct uart_port port;
	int sending, asked;
};

static void demo_start_tx(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	demo->sending = 1; // NORACE
}

static void demo_stop_tx(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	demo->sending = 0; // NORACE
}

static unsigned int demo_get_mctrl(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	return demo->sending + demo->asked; // RACE!
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	return demo->asked++; // RACE!
}

static const struct uart_ops demo_ops = {
	.tx_empty = demo_tx_empty,
	.get_mctrl = demo_get_mctrl,
	.stop_tx = demo_stop_tx,
	.start_tx = demo_start_tx,
};

static struct demo_port demo_ports[2] = { { .port = { .ops = &demo_ops } }, { .port = { .ops = &demo_ops } } };
EXPORT_SYMBOL(demo_ports);
MODULE_LICENSE("GPL");
