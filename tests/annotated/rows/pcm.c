/* The core calls trigger, pointer and ack under the stream's lock, hw_params and prepare under buffer_mutex, open before all others, close behind what a file asks for; nothing keeps prepare from trigger, nor hw_params, nor either from close, if the stream is linked to another one. */
// verdict: potential
#include <whole/snd.h>
#include <linux/slab.h>
#include <linux/interrupt.h>

struct demo {
	int rate, periods, opened, started, running;
};

static int demo_stops;

static int demo_open(struct snd_pcm_substream *substream)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	substream->runtime->private_data = demo; // NORACE
	demo->opened = 1; // NORACE
	return 0;
}

static int demo_close(struct snd_pcm_substream *substream)
{
	struct demo *demo = substream->runtime->private_data;

	kfree(demo); // RACE!
	return 0;
}

static int demo_hw_params(struct snd_pcm_substream *substream, struct snd_pcm_hw_params *params)
{
	struct demo *demo = substream->runtime->private_data;

	params->rate |= demo->opened; // NORACE
	demo->rate = params->rate; // NORACE
	demo->periods = 2; // RACE!
	return 0;
}

static int demo_hw_free(struct snd_pcm_substream *substream)
{
	struct demo *demo = substream->runtime->private_data;

	demo->rate = 0; // NORACE
	return 0;
}

static int demo_trigger(struct snd_pcm_substream *substream, int cmd)
{
	struct demo *demo = substream->runtime->private_data;

	demo->running = cmd; // RACE!
	demo->running = demo->periods; // RACE!
	return demo->started; // RACE!
}

static int demo_prepare(struct snd_pcm_substream *substream)
{
	struct demo *demo = substream->runtime->private_data;

	demo->started = demo->opened; // RACE!
	return 0;
}

static unsigned long demo_pointer(struct snd_pcm_substream *substream)
{
	struct demo *demo = substream->runtime->private_data;

	return demo->running; // RACE!
}

static int demo_sync_stop(struct snd_pcm_substream *substream)
{
	demo_stops++; // RACE!
	return 0;
}

static const struct snd_pcm_ops demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.hw_params = demo_hw_params,
	.hw_free = demo_hw_free,
	.prepare = demo_prepare,
	.trigger = demo_trigger,
	.pointer = demo_pointer,
	.sync_stop = demo_sync_stop,
};

void demo_setup(struct snd_pcm *pcm)
{
	snd_pcm_set_ops(pcm, 0, &demo_ops);
}
EXPORT_SYMBOL_GPL(demo_setup);
MODULE_LICENSE("GPL");
