/* What the functions of a parallel port do to its mode, and what they move; the rest of the port is not touched. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/parport.h>

static struct parport *turned, *written, *fetched;
static char out[16], in[16], held[16];
static DEFINE_MUTEX(lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	char own[16];

	switch (cmd) {
	case 0:
		return parport_negotiate(turned, arg); // RACE!
	case 1:
		return parport_write(written, out, 16); // RACE!
	case 2:
		parport_read(fetched, own, 16); // RACE!
		return own[0]; // NORACE
	case 3:
		return parport_read(fetched, in, 16); // RACE!
	}
	return turned->private_data != NULL; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	held[0]++; // NORACE
	mutex_unlock(&lock);
	out[0] = 1; // RACE!
	return turned->physport->ieee1284.mode; // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	written->ieee1284.mode = 0; // RACE!
	return fetched->physport->ieee1284.phase + in[0]; // RACE!
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
