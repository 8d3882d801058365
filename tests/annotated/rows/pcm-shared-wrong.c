/* Streams of one PCM have locks of their own: what they share, open and close alone have a lock for. */
// verdict: potential
#include <whole/snd.h>

struct demo {
	int opened, running;
};

static struct demo demo;

static int demo_open(struct snd_pcm_substream *substream)
{
	demo.opened++; // RACE!
	return 0;
}

static int demo_trigger(struct snd_pcm_substream *substream, int cmd)
{
	demo.running = cmd; // RACE!
	return 0;
}

static unsigned long demo_pointer(struct snd_pcm_substream *substream)
{
	return demo.running; // RACE!
}

static const struct snd_pcm_ops demo_ops = {
	.open = demo_open,
	.trigger = demo_trigger,
	.pointer = demo_pointer,
};

void demo_setup(struct snd_pcm *pcm)
{
	snd_pcm_set_ops(pcm, 0, &demo_ops);
}
EXPORT_SYMBOL_GPL(demo_setup);
MODULE_LICENSE("GPL");
