/* The cores of watchdogs, clocks and USB serial adapters call their drivers: rows say which members of the core's structs these
 * write. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/rtc.h>
#include <linux/usb/serial.h>
#include <linux/watchdog.h>

static struct watchdog_device *watchdog;
static struct rtc_device *rtc;
static struct usb_serial *serial;
static struct tty_struct *tty;
static struct rtc_param param;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct rtc_param own = { 1 };

	watchdog->ops->set_timeout(watchdog, 3); // RACE!
	watchdog->ops->status(watchdog); // RACE!
	rtc->ops->param_set(rtc->dev.parent, &own); // NORACE
	rtc->ops->param_get(rtc->dev.parent, &param); // RACE!
	serial->type->init_termios(tty); // RACE!
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	n += watchdog->timeout; // RACE!
	n += watchdog->max_timeout; // NORACE
	n += (size_t)watchdog->info; // NORACE
	n += param.uvalue; // RACE!
	n += tty->termios.c_cflag; // RACE!
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
