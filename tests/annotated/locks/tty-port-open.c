/* tty_port_open returns with the terminal's lock, which it gave up meanwhile; what it changes in the port it changes under
 * the port's lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

int tty_port_open(struct tty_port *port, struct tty_struct *tty, struct file *file);

static struct tty_port port;

static int demo_open(struct tty_struct *tty, struct file *file)
{
	int err;

	tty->driver_data = NULL; // NORACE
	err = tty_port_open(&port, tty, file); // RACE!
	tty->driver_data = &port; // NORACE
	return err;
}

static void demo_close(struct tty_struct *tty, struct file *file)
{
	tty->driver_data = NULL; // NORACE
	spin_lock(&port.lock);
	port.count--; // RACE!
	spin_unlock(&port.lock);
}

static void demo_hangup(struct tty_struct *tty)
{
	tty->driver_data = NULL; // NORACE
	spin_lock(&port.lock);
	port.tty = NULL; // NORACE
	spin_unlock(&port.lock);
}

static int demo_write(struct tty_struct *tty, const unsigned char *buf, int count)
{
	return port.count; // RACE!
}

static const struct tty_operations demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.hangup = demo_hangup,
	.write = demo_write,
};

static struct tty_driver demo_driver = { .ops = &demo_ops };

static int __init demo_init(void)
{
	return tty_register_driver(&demo_driver);
}
module_init(demo_init);
