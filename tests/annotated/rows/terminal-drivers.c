/* A driver of terminals: what the core does to a terminal that it installs, and to the ids that user space adds. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/tty.h>
#include <linux/tty_driver.h>

struct usb_dynids { struct list_head list; };
struct tty_driver *__tty_alloc_driver(unsigned int lines, struct module *owner, unsigned long flags);
void tty_driver_kref_put(struct tty_driver *driver);
int tty_standard_install(struct tty_driver *driver, struct tty_struct *tty);
struct device *tty_port_register_device(struct tty_port *port, struct tty_driver *driver, unsigned int index, struct device *dev);
ssize_t usb_store_new_id(struct usb_dynids *ids, const void *table, struct device_driver *driver, const char *text, size_t n);
ssize_t usb_show_dynids(struct usb_dynids *ids, char *text);

static struct tty_driver *driver;
static struct usb_dynids ids;
static struct tty_port port;
static char text[16];

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return usb_show_dynids(&ids, text); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	return usb_store_new_id(&ids, NULL, NULL, NULL, n); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	tty_port_register_device(&port, driver, arg, NULL); // NORACE
	return text[0]; // RACE!
}

static int demo_install(struct tty_driver *drv, struct tty_struct *tty)
{
	return tty_standard_install(drv, tty); // RACE: that the terminals have references to their driver is not seen
}

static void demo_set_termios(struct tty_struct *tty, struct ktermios *old)
{
	tty->termios.c_cflag = 0; // NORACE
}

static const struct tty_operations demo_ops = {
	.install = demo_install,
	.set_termios = demo_set_termios,
};

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	struct tty_driver *made = __tty_alloc_driver(1, THIS_MODULE, 0);

	if (IS_ERR(made))
		return -ENOMEM;
	made->ops = &demo_ops; // NORACE
	if (tty_register_driver(made)) { // NORACE
		tty_driver_kref_put(made); // RACE: that the terminals have references to their driver is not seen
		return -EBUSY;
	}
	driver = made;
	return misc_register(&demo_misc);
}
module_init(demo_init);
