/* The same as rule07-array-of-bytes, but the array is where the struct is kept. */
// verdict: potential
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

static int demo_open(struct inode *inode, struct file *file)
{
	struct packet *packet = file->private_data;

	mutex_lock(&a);
	mutex_lock(&b);
	inode->i_private = (struct demo *)packet->bytes; // RACE!
	mutex_unlock(&b);
	mutex_unlock(&a);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->f_inode->i_private; // RACE!

	mutex_lock(&a);
	demo->b = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct packet *packet = file->private_data;

	mutex_lock(&b);
	packet->bytes[4] = 1; // RACE!
	mutex_unlock(&b);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
