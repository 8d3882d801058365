/* Channels of DMA engines: who asked for one has it alone until he releases it; what a filter gets others have, too. */
// verdict: potential
#include <linux/module.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include "dma-engines.h"

struct device;
struct device_node;
struct dma_slave_caps { u32 directions, max_burst; };
struct dma_chan *dma_request_chan(struct device *dev, const char *name);
struct dma_chan *__dma_request_channel(const unsigned long *mask, bool (*fn)(struct dma_chan *chan, void *param), void *param,
				       struct device_node *node);
void dma_release_channel(struct dma_chan *chan);
int dma_get_slave_caps(struct dma_chan *chan, struct dma_slave_caps *caps);

struct demo { int n; };
static DEFINE_MUTEX(lock);
static char name[8];
static unsigned long mask;
static struct dma_slave_caps shared;
static struct dma_chan *channel;
static int filtered;

static bool demo_filter(struct dma_chan *chan, void *param)
{
	struct demo *demo = param;

	filtered++; // NORACE
	return demo->n == 1; // NORACE
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct dma_slave_caps caps = { .max_burst = 0 };

	mutex_lock(&lock);
	dma_get_slave_caps(channel, &caps); // NORACE
	channel->device->device_issue_pending(channel); // NORACE
	mutex_unlock(&lock);
	dma_request_chan(NULL, name); // RACE!
	return caps.max_burst;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->n = 1; // NORACE
	__dma_request_channel(&mask, demo_filter, demo, NULL); // RACE!
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(name[1], 'a'); // RACE!
	WRITE_ONCE(mask, 1); // RACE!
	mutex_lock(&lock);
	dma_get_slave_caps(channel, &shared); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	dma_release_channel(channel); // NORACE
	mutex_unlock(&lock);
	return shared.directions; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
