/* A terminal: open and close under its lock, activate and shutdown of its port under the port's mutex. */
// verdict: potential
#include <linux/module.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

static int opens;

static int demo_open(struct tty_struct *tty, struct file *file)
{
	opens++; // RACE!
	tty->termios.c_lflag = 1; // NORACE
	return 0;
}

static void demo_close(struct tty_struct *tty, struct file *file)
{
	tty->termios.c_lflag = 0; // NORACE
}

static void demo_set_termios(struct tty_struct *tty, struct ktermios *old)
{
	tty->termios.c_cflag ^= old->c_cflag; // RACE!
}

static int demo_write(struct tty_struct *tty, const unsigned char *buf, int count)
{
	return tty->termios.c_cflag; // RACE!
}

static const struct tty_operations demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.set_termios = demo_set_termios,
	.write = demo_write,
};

static int demo_activate(struct tty_port *port, struct tty_struct *tty)
{
	port->count = 1; // NORACE
	return 0;
}

static void demo_shutdown(struct tty_port *port)
{
	port->count = 0; // NORACE
	port->tty = NULL; // RACE!
}

static void demo_dtr_rts(struct tty_port *port, int raise)
{
	port->tty = NULL; // RACE!
}

static const struct tty_port_operations demo_port_ops = {
	.activate = demo_activate,
	.shutdown = demo_shutdown,
	.dtr_rts = demo_dtr_rts,
};

struct tty_port demo_port = { .ops = &demo_port_ops };
static struct tty_driver demo_driver = { .ops = &demo_ops };

static int __init demo_init(void)
{
	return tty_register_driver(&demo_driver);
}
module_init(demo_init);
