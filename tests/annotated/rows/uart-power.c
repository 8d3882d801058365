/* A port is suspended, resumed and removed: the core changes it under its lock, and not what the driver has around it. */
// verdict: potential
#include <whole/serial.h>

struct demo_port {
	struct uart_port port;
	struct mutex lock;
	int level, opened;
};

static void demo_start_tx(struct uart_port *port)
{
	struct uart_state *state = port->state; // NORACE

	if (!port->hw_stopped && state->xmit.buf) // RACE: that no two ports have one state is not known
		port->icount.tx += state->xmit.buf[0]; // RACE: the same
}

static void demo_stop_tx(struct uart_port *port)
{
	port->icount.tx += port->status; // NORACE
}

static unsigned int demo_tx_empty(struct uart_port *port)
{
	return port->suspended + // RACE!
		port->mctrl + // RACE!
		port->rs485.delay + // RACE!
		port->type + // RACE!
		port->status; // RACE!
}

static int demo_startup(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	mutex_lock(&demo->lock);
	demo->opened = 1; // NORACE
	mutex_unlock(&demo->lock);
	return 0;
}

static void demo_shutdown(struct uart_port *port)
{
	struct demo_port *demo = container_of(port, struct demo_port, port);

	mutex_lock(&demo->lock);
	demo->opened = 0; // NORACE
	mutex_unlock(&demo->lock);
}

static const struct uart_ops demo_ops = {
	.tx_empty = demo_tx_empty,
	.stop_tx = demo_stop_tx,
	.start_tx = demo_start_tx,
	.startup = demo_startup,
	.shutdown = demo_shutdown,
};

static struct uart_driver demo_uart = { .driver_name = "demo", .nr = 1 };
static struct demo_port demo = { .port = { .ops = &demo_ops }, .lock = __MUTEX_INITIALIZER(demo.lock) };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo.lock);
	demo.level = len + demo.port.uartclk + demo_uart.nr; // NORACE
	mutex_unlock(&demo.lock);
	return demo.port.state->xmit.head; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int demo_probe(struct platform_device *pdev)
{
	return misc_register(&demo_misc);
}

static int demo_suspend(struct device *dev)
{
	return uart_suspend_port(&demo_uart, &demo.port); // RACE!
}

static int demo_resume(struct device *dev)
{
	return uart_resume_port(&demo_uart, &demo.port); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	uart_remove_one_port(&demo_uart, &demo.port); // RACE!
	misc_deregister(&demo_misc);
	return 0;
}

static const struct dev_pm_ops demo_pm = { .suspend = demo_suspend, .resume = demo_resume };
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .pm = &demo_pm } };
module_platform_driver(demo_driver);
EXPORT_SYMBOL(demo);
MODULE_LICENSE("GPL");
