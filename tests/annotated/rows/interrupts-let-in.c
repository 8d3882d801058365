/* Functions of DMA engines and AC97 buses may let interrupts in; one that sends a buffer does not. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/irq.h>
#include <linux/miscdevice.h>
#include <linux/percpu.h>
#include "ac97-bus.h"
#include "dma-engines.h"

struct usb_device;
int roccat_common2_send(struct usb_device *dev, unsigned int report, const void *data, unsigned int n);
extern struct snd_ac97 *demo_codec(void);
extern struct dma_chan *demo_chan(void);
extern struct dma_async_tx_descriptor *demo_desc(void);
struct counts { int submitted, started, copied, listed, mixed, set, asked, spoken, kept; };
static DEFINE_PER_CPU(struct counts, counts);

static irqreturn_t demo_irq(int irq, void *data)
{
	struct counts *own = this_cpu_ptr(&counts);

	own->submitted++; // RACE!
	own->started++; // RACE!
	own->copied++; // RACE!
	own->listed++; // RACE!
	own->mixed++; // RACE!
	own->set++; // RACE!
	own->asked++; // RACE!
	own->spoken++; // RACE!
	own->kept++; // NORACE
	return IRQ_HANDLED;
}

static void demo_each(int which)
{
	struct dma_async_tx_descriptor *desc = demo_desc();
	struct dma_interleaved_template xt = { .numf = 1 };
	struct dma_slave_config config = { .direction = 1 };
	struct snd_ac97 *ac97 = demo_codec();
	struct dma_chan *chan = demo_chan();
	struct dma_device *engine = chan->device;

	local_irq_disable();
	switch (which) {
	case 0:
		desc->tx_submit(desc);
		this_cpu_ptr(&counts)->submitted = 0; // RACE!
		break;
	case 1:
		engine->device_issue_pending(chan);
		this_cpu_ptr(&counts)->started = 0; // RACE!
		break;
	case 2:
		engine->device_prep_dma_memcpy(chan, 1, 2, 3, 0);
		this_cpu_ptr(&counts)->copied = 0; // RACE!
		break;
	case 3:
		engine->device_prep_slave_sg(chan, NULL, 0, 1, 0, NULL);
		this_cpu_ptr(&counts)->listed = 0; // RACE!
		break;
	case 4:
		engine->device_prep_interleaved_dma(chan, &xt, 0);
		this_cpu_ptr(&counts)->mixed = 0; // RACE!
		break;
	case 5:
		engine->device_config(chan, &config);
		this_cpu_ptr(&counts)->set = 0; // RACE!
		break;
	case 6:
		engine->device_tx_status(chan, 1, NULL);
		this_cpu_ptr(&counts)->asked = 0; // RACE!
		break;
	case 7:
		ac97->bus->ops->write(ac97, 1, 2);
		this_cpu_ptr(&counts)->spoken = 0; // RACE!
		break;
	default:
		roccat_common2_send(NULL, 1, "one", 3);
		this_cpu_ptr(&counts)->kept = 0; // NORACE
	}
	local_irq_enable();
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	demo_each(cmd);
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	if (request_irq(7, demo_irq, 0, "demo", &demo_misc))
		return -EBUSY;
	return misc_register(&demo_misc);
}
module_init(demo_init);
