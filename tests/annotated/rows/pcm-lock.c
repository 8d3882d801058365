/* What an interrupt does under the lock of the stream that it is of is kept apart from the stream's trigger and pointer; what it does without is not. */
// verdict: potential
#include <whole/snd.h>
#include <linux/slab.h>

struct demo {
	int position, wrong;
};

static int demo_open(struct snd_pcm_substream *substream)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	substream->private_data = demo; // RACE!
	return 0;
}

static int demo_trigger(struct snd_pcm_substream *substream, int cmd)
{
	struct demo *demo = substream->private_data; // RACE!

	demo->position = 0; // RACE: two streams may have the data of one pcm
	demo->wrong = 0; // RACE!
	return 0;
}

static const struct snd_pcm_ops demo_ops = {
	.open = demo_open,
	.trigger = demo_trigger,
};

void demo_advance(struct snd_pcm_substream *substream, int n)
{
	unsigned long flags = _snd_pcm_stream_lock_irqsave(substream);
	struct demo *demo = substream->private_data; // RACE!

	demo->position += n; // RACE: two streams may have the data of one pcm
	snd_pcm_stream_unlock_irqrestore(substream, flags);
	demo->wrong++; // RACE!
}
EXPORT_SYMBOL_GPL(demo_advance);

/* Others may call these before the stream is open. This calls trigger in this thread, under the lock. */
void demo_overrun(struct snd_pcm_substream *substream)
{
	snd_pcm_stop_xrun(substream); // RACE: what the application has set up may be of another stream
}
EXPORT_SYMBOL_GPL(demo_overrun);

void demo_setup(struct snd_pcm *pcm)
{
	snd_pcm_set_ops(pcm, 0, &demo_ops);
}
EXPORT_SYMBOL_GPL(demo_setup);
MODULE_LICENSE("GPL");
