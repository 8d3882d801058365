/* A channel is released beside its use. */
// verdict: potential
#include <linux/module.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include "dma-engines.h"

struct device;
struct dma_slave_caps { u32 directions, max_burst; };
struct dma_chan *dma_request_chan(struct device *dev, const char *name);
void dma_release_channel(struct dma_chan *chan);
int dma_get_slave_caps(struct dma_chan *chan, struct dma_slave_caps *caps);
static struct dma_chan *channel;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct dma_slave_caps caps;

	return dma_get_slave_caps(channel, &caps); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	channel->device->device_issue_pending(channel); // RACE!
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	dma_release_channel(channel); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	channel = dma_request_chan(NULL, "rx");
	return IS_ERR(channel) ? PTR_ERR(channel) : misc_register(&demo_misc);
}
module_init(demo_init);
