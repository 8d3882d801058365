/* What the functions of a terminal's port do to it, under the port's own lock; the struct around is the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/tty.h>

void tty_port_tty_set(struct tty_port *port, struct tty_struct *tty);
void tty_port_hangup(struct tty_port *port);
void tty_port_destroy(struct tty_port *port);
int tty_port_carrier_raised(struct tty_port *port);

struct demo {
	struct tty_port port;
	int count;
};
static struct demo set, hung, ended, raised;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		tty_port_tty_set(&set.port, NULL); // RACE!
		break;
	case 1:
		tty_port_hangup(&hung.port); // RACE!
		break;
	case 2:
		tty_port_destroy(&ended.port); // RACE!
		break;
	case 3:
		return tty_port_carrier_raised(&raised.port); // RACE!
	}
	return set.count + hung.count + ended.count + raised.count; // NORACE
}

/* With the lock, and without. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int count;

	spin_lock(&hung.port.lock);
	count = hung.port.count; // NORACE
	spin_unlock(&hung.port.lock);
	return count + hung.port.count; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	raised.port.ops = NULL; // RACE!
	if (set.port.tty) // RACE!
		return 1;
	return ended.port.buf.tail ? 1 : 0; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
