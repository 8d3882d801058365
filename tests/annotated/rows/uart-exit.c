/* Who unregisters the driver of ports ends the states of its ports; lines of modems are another module's. */
// verdict: potential
#include <whole/serial.h>

struct mctrl_gpios;
void mctrl_gpio_set(struct mctrl_gpios *gpios, unsigned int mctrl);
void mctrl_gpio_enable_ms(struct mctrl_gpios *gpios);
unsigned int mctrl_gpio_get(struct mctrl_gpios *gpios, unsigned int *mctrl);
extern struct mctrl_gpios *demo_gpios(void);
extern struct uart_port *demo_port(void);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static struct uart_driver demo_uart = { .driver_name = "demo", .nr = 1 };
static unsigned int lines, asked;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct uart_port *port = demo_port();

	mutex_lock(&lock);
	if (cmd == 0)
		uart_unregister_driver(&demo_uart); // RACE!
	mctrl_gpio_enable_ms(demo_gpios());
	mctrl_gpio_set(demo_gpios(), arg);
	mctrl_gpio_get(demo_gpios(), &lines); // RACE!
	port->serial_out(port, 0, port->serial_in(port, 0)); // RACE!
	port->handle_break(port); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct uart_port *port = demo_port();

	mutex_lock(&state_lock);
	asked = demo_uart.nr + port->fifosize; // RACE: of a driver given by a variable, what ends is seen as any memory
	port->mctrl = asked; // RACE: of a driver given by a variable, what ends is seen as any memory
	port->icount.rx++; // RACE: of a driver given by a variable, what ends is seen as any memory
	len = lines; // RACE!
	port->regshift = len; // RACE!
	len += demo_uart.state->pm_state; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
