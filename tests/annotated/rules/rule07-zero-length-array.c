/* The elements behind a struct with a flexible array. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/mutex.h>

struct packet {
	int count;
	int data[];
};

static DEFINE_MUTEX(lock);
static struct packet *common;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct packet *packet = READ_ONCE(common);

	packet->data[3] = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct packet *packet = READ_ONCE(common);

	mutex_lock(&lock);
	packet->data[len] = 2; // RACE!
	packet->count = 1; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
