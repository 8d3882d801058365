/* A file whose reader hands the shared bytes to other code in some way, and whose writer changes them under the lock. */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spi/spi.h>
#include <linux/string.h>

int other_sync(struct spi_transfer *xfers, int count);

static DEFINE_MUTEX(lock);
static u8 shared[64];

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	shared[len & 63] = 3;
	mutex_unlock(&lock);
	return 1;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
