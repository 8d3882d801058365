/* An array of characters holds no struct of which nobody makes a pointer from one to characters. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo {
	int a;
	int b;
};

struct packet {
	long length;
	char bytes[16];
};

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->f_inode->i_private;

	mutex_lock(&a);
	demo->b = 1; // NORACE
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct packet *packet = file->private_data;

	mutex_lock(&b);
	packet->bytes[4] = 1; // NORACE
	mutex_unlock(&b);
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
