/* match_string reads the texts, not only where they are. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spi/spi.h>
#include <linux/string.h>

int other_sync(struct spi_transfer *xfers, int count);
int other_sum(void **buffers, int count);

static DEFINE_MUTEX(lock);
static u8 shared[64];

int match_string(const char * const *array, size_t n, const char *string);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	const char *texts[] = { (const char *)shared, NULL };

	return match_string(texts, 2, "on"); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	shared[len & 63] = 3; // RACE!
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
