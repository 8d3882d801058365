/* What a summarized function has stored, unknown code finds. */
// verdict: potential
// inline-limit: 0
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

static noinline void demo_fill(struct spi_transfer *xfer, void *buffer)
{
	xfer->rx_buf = buffer;
	xfer->tx_buf = NULL;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .len = 8 };

	demo_fill(&xfer, shared);
	return other_sync(&xfer, 1); // RACE!
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
