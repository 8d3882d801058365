/* An array of no length at the end of a struct inside another one: the member that follows is reached through it, too. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct header {
	int count;
	unsigned char bytes[0];
};

struct fifo {
	struct header header;
	unsigned char room[64];
	struct device *dev;
	int last;
};

static DEFINE_MUTEX(lock);
struct fifo *common_fifo;
EXPORT_SYMBOL(common_fifo);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct fifo *fifo = READ_ONCE(common_fifo);

	fifo->header.bytes[3] = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct fifo *fifo = READ_ONCE(common_fifo);

	mutex_lock(&lock);
	fifo->room[3] = 2; // RACE!
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
