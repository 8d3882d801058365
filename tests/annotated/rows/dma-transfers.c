/* Transfers by DMA: what clients and engines share are descriptors, configurations and lists; callbacks run at any time. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>
#include "dma-engines.h"

struct demo { struct dma_chan *chan; int sent, done; };
extern struct demo *demo_find(void);
static DEFINE_MUTEX(lock);
static struct dma_slave_config config;
static struct dma_interleaved_template template;
static struct dma_tx_state progress;
static struct sdma_peripheral_config special;
static u32 words[5];
static struct scatterlist list, listed;
static int finished;

static void demo_done(void *param)
{
	struct demo *demo = param;

	mutex_lock(&lock);
	demo->sent++; // NORACE
	mutex_unlock(&lock);
	demo->done++; // RACE!
	finished++; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct dma_tx_state state;
	struct demo *demo = demo_find();
	struct dma_chan *chan = demo->chan;
	struct dma_device *engine = chan->device;
	struct dma_async_tx_descriptor *desc;

	mutex_lock(&lock);
	engine->device_prep_slave_sg(chan, &listed, 1, 1, 0, words); // RACE!
	desc = engine->device_prep_slave_sg(chan, &list, 1, 1, 0, NULL); // NORACE
	desc->callback = demo_done; // NORACE
	desc->callback_param = demo; // NORACE
	demo->sent = 0; // NORACE
	demo->done = 0; // RACE!
	desc->tx_submit(desc); // NORACE
	engine->device_issue_pending(chan); // NORACE
	engine->device_tx_status(chan, 1, &state); // NORACE
	mutex_unlock(&lock);
	engine->device_tx_status(chan, 1, &progress); // RACE!
	return state.residue;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_find();
	struct dma_chan *chan = demo->chan;
	struct dma_device *engine = chan->device;

	engine->device_prep_dma_memcpy(chan, 1, 2, 3, 0); // NORACE
	engine->device_prep_dma_memset(chan, 1, 2, 3, 0); // NORACE
	engine->device_prep_dma_interrupt(chan, 0); // NORACE
	engine->device_prep_dma_cyclic(chan, 1, 2, 3, 1, 0); // NORACE
	engine->device_prep_interleaved_dma(chan, &template, 0); // RACE!
	engine->device_config(chan, &config); // RACE!
	engine->device_pause(chan); // NORACE
	engine->device_resume(chan); // NORACE
	engine->device_terminate_all(chan); // NORACE
	engine->device_synchronize(chan); // NORACE
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct dma_chan *chan = demo_find()->chan;

	WRITE_ONCE(template.numf, 1); // RACE!
	WRITE_ONCE(words[1], 1); // RACE!
	WRITE_ONCE(listed.length, 1); // RACE!
	WRITE_ONCE(config.src_addr, 1); // RACE!
	WRITE_ONCE(special.n_fifos_dst, 1); // RACE!
	WRITE_ONCE(chan->client_count, 1); // NORACE
	return config.peripheral_size + // RACE!
	       progress.last; // RACE!
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
	config.peripheral_config = &special;
	return misc_register(&demo_misc);
}
module_init(demo_init);
