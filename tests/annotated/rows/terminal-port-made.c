/* Making a terminal's port lets nobody at what it is in; making it again is a race. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/tty.h>

void tty_port_init(struct tty_port *port);

struct demo {
	struct tty_port port;
	int limit;
	struct miscdevice misc;
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	return demo->limit; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	tty_port_init(&demo->port); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	tty_port_init(&demo->port); // NORACE
	demo->limit = 3; // NORACE
	demo->misc.fops = &demo_fops;
	return misc_register(&demo->misc);
}
module_init(demo_init);
