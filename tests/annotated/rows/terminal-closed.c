/* What closing a terminal does to its port, and what begins to write to a serial one: counts under the port's lock, the rest
 * by who holds the terminal, which is nobody here. Who begins to write has the port's bit for that. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/tty.h>
#include <linux/usb.h>
#include <linux/usb/serial.h>

void tty_port_close(struct tty_port *port, struct tty_struct *tty, struct file *file);
int tty_port_close_start(struct tty_port *port, struct tty_struct *tty, struct file *file);
void tty_port_close_end(struct tty_port *port, struct tty_struct *tty);
int usb_serial_generic_write_start(struct usb_serial_port *port, gfp_t flags);

struct demo {
	struct tty_port port;
	int count;
};
static struct demo closed;
static struct usb_serial_port *serial;
static struct tty_struct *terminal;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (tty_port_close_start(&closed.port, terminal, file)) // RACE!
		tty_port_close_end(&closed.port, terminal); // RACE!
	tty_port_close(&closed.port, terminal, file); // RACE!
	usb_serial_generic_write_start(serial, GFP_KERNEL); // NORACE
	return closed.count; // NORACE
}

/* With the lock, and without. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int count;

	spin_lock(&closed.port.lock);
	count = closed.port.count; // NORACE
	spin_unlock(&closed.port.lock);
	return count + closed.port.count; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
