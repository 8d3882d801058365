/* An array of no length at the end of a struct inside another one is no storage for other structs: there lie the members
   that follow. */
// verdict: race-free
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

struct other {
	long values[32];
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(last);
struct fifo *common_fifo;
struct other *common_other;
EXPORT_SYMBOL(common_fifo);
EXPORT_SYMBOL(common_other);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct fifo *fifo = READ_ONCE(common_fifo);

	mutex_lock(&last);
	fifo->last = 1; // NORACE
	mutex_unlock(&last);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct fifo *fifo = READ_ONCE(common_fifo);
	struct other *other = READ_ONCE(common_other);

	mutex_lock(&lock);
	len = fifo->header.count; // NORACE
	other->values[2] = 2; // NORACE
	mutex_unlock(&lock);
	return len;
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
