/* A port that is copied: the core keeps what it leads to, and calls its functions. */
// verdict: potential
#include <linux/slab.h>
#include <whole/serial.h>

struct demo { int level, asked; struct uart_8250_dma dma; };

static int demo_handle_irq(struct uart_port *port)
{
	struct demo *demo = port->private_data;

	return demo->level + // RACE!
		demo->asked; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), 0);
	struct uart_8250_port up = {};

	if (!demo)
		return -ENOMEM;
	demo->asked = 1; // NORACE
	up.port.private_data = demo;
	up.port.handle_irq = demo_handle_irq;
	up.dma = &demo->dma;
	up.ier = 1; // NORACE
	serial8250_register_8250_port(&up);
	demo->level = 1; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };

extern struct uart_8250_port *demo_template(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	serial8250_register_8250_port(demo_template()); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	len = demo_template()->ier; // NORACE
	demo_template()->port.irq = len; // RACE!
	demo_template()->dma->rx_size = len; // NORACE
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int demo_init(void)
{
	misc_register(&demo_misc);
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
