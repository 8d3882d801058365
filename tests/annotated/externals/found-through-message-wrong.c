/* What a function without a row finds through a message on the caller's stack: a buffer that is in a list there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spi/spi.h>

int demo_sync(struct spi_message *message);

static DEFINE_MUTEX(demo_mutex);
static u8 answer[4], guarded[4], other[4];

static int demo_ask(void *to)
{
	struct spi_transfer transfer = { .rx_buf = to, .len = 4 };
	struct spi_message message = { .status = 0 };

	INIT_LIST_HEAD(&message.transfers);
	list_add_tail(&transfer.transfer_list, &message.transfers);
	return demo_sync(&message); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	demo_ask(answer);
	mutex_lock(&demo_mutex);
	demo_ask(guarded);
	mutex_unlock(&demo_mutex);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	int n;

	mutex_lock(&demo_mutex);
	n = guarded[0]; // NORACE
	mutex_unlock(&demo_mutex);
	n += other[0]; // NORACE
	return n + answer[0]; // RACE!
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
