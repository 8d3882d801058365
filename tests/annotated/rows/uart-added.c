/* A driver of ports is registered and gets a port: the core fills in what is its own, before anybody finds the port. */
// verdict: potential
#include <linux/slab.h>
#include <whole/serial.h>

extern struct uart_port *demo_port(void);

struct demo { struct uart_port port; int level, opened; };

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static struct uart_driver demo_uart;
static int missing, seen;

static int demo_startup(struct uart_port *port)
{
	struct demo *demo = container_of(port, struct demo, port);

	return demo->opened + demo->level; // RACE!
}

static void demo_set_mctrl(struct uart_port *port, unsigned int mctrl)
{
}

static const struct uart_ops demo_ops = { .startup = demo_startup, .set_mctrl = demo_set_mctrl };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (cmd == 0) {
		if (!demo_uart.state)
			uart_register_driver(&demo_uart); // RACE!
		if (!demo_uart.state)
			missing++; // RACE!
	} else {
		uart_add_one_port(&demo_uart, demo_port()); // RACE!
	}
	handle_sysrq(arg);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct uart_port *port = demo_port();

	mutex_lock(&state_lock);
	seen = port->fifosize + port->icount.rx + port->status; // NORACE
	port->uartclk = seen; // RACE!
	port->iobase = seen; // RACE!
	port->irq = seen; // RACE!
	port->line = seen; // RACE!
	port->dev = NULL; // RACE!
	len = port->mctrl + // RACE!
		port->type + // RACE!
		port->flags + // RACE!
		port->minor + // RACE!
		port->rs485.delay + // RACE!
		!port->name + // RACE!
		!port->tty_groups + // RACE!
		port->state->pm_state + // RACE!
		!port->cons; // RACE!
	demo_uart.dev_name = "demo"; // RACE!
	len += !demo_uart.tty_driver; // RACE!
	len += missing; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), 0);

	if (!demo)
		return -ENOMEM;
	demo->port.ops = &demo_ops;
	demo->port.uartclk = 7; // NORACE
	demo->opened = demo->level = 0; // NORACE
	uart_add_one_port(&demo_uart, &demo->port); // RACE!
	demo->opened = 2; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };

static int demo_init(void)
{
	misc_register(&demo_misc);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
