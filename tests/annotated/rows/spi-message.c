/* A message to a device on a bus: the core gets the device, fills what the message's transfers point to, and keeps its hands
   off the rest of the driver. */
// verdict: potential
#include <linux/module.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/fs.h>
#include <linux/spi/spi.h>

static DEFINE_MUTEX(demo_mutex);
static struct spi_device *device;
static u8 answer[4], other[4], guarded[4];

static int demo_ask(void *to, bool locked)
{
	struct spi_transfer transfer = { .rx_buf = to, .len = 4 };
	struct spi_message message = { .status = 0 };

	INIT_LIST_HEAD(&message.transfers);
	list_add_tail(&transfer.transfer_list, &message.transfers);
	if (locked)
		return spi_sync_locked(device, &message);
	return spi_sync(device, &message); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	demo_ask(answer, false);
	mutex_lock(&demo_mutex);
	demo_ask(guarded, true);
	mutex_unlock(&demo_mutex);
	return device->mode; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	int n;

	mutex_lock(&demo_mutex);
	n = guarded[0]; // NORACE
	mutex_unlock(&demo_mutex);
	return n + answer[0] + // RACE!
	       other[0]; // NORACE
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
