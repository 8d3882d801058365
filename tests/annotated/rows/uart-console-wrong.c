/* A console is set up without the mutex of the terminal's port, in the thread of who calls uart_set_options. */
// verdict: potential
#include <linux/slab.h>
#include <whole/uart.h>

struct demo { struct uart_port port; int speed; };

static struct demo demo;
static struct uart_driver demo_uart = { .driver_name = "demo", .dev_name = "ttyD", .nr = 1 };

static void demo_set_termios(struct uart_port *port, struct ktermios *new, const struct ktermios *old)
{
	container_of(port, struct demo, port)->speed++; // RACE!
}

static int demo_startup(struct uart_port *port)
{
	return container_of(port, struct demo, port)->speed; // RACE!
}

static const struct uart_ops demo_ops = { .set_termios = demo_set_termios, .startup = demo_startup };

static int demo_setup(struct console *co, char *options)
{
	return uart_set_options(&demo.port, co, 9600, 'n', 8, 'n'); // RACE!
}

static struct console demo_console = { .name = "ttyD", .setup = demo_setup };

static int demo_probe(struct platform_device *pdev)
{
	demo.port.ops = &demo_ops; // RACE!
	demo_uart.cons = &demo_console; // RACE!
	return uart_add_one_port(&demo_uart, &demo.port); // RACE!
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
