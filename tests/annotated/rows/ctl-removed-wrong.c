/* Who takes a control off its card without controls_rwsem ends it beside its functions: private_free runs in that thread. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <whole/snd.h>

struct demo {
	int level, writes;
};

static int demo_get(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol)
{
	struct demo *demo = kcontrol->private_data; // RACE!

	ucontrol->value[0] = demo->level; // RACE!
	ucontrol->value[1] = demo->writes; // RACE!
	ucontrol->value[2] = kcontrol->private_value; // RACE!
	return 0;
}

static void demo_free(struct snd_kcontrol *kcontrol)
{
	kfree(kcontrol->private_data); // RACE!
}

static const struct snd_kcontrol_new demo_control = {
	.name = "demo",
	.get = demo_get,
};

struct snd_kcontrol *demo_add(struct snd_card *card)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct snd_kcontrol *kcontrol;

	if (!demo)
		return NULL;
	kcontrol = snd_ctl_new1(&demo_control, demo);
	if (!kcontrol) {
		kfree(demo);
		return NULL;
	}
	kcontrol->private_free = demo_free;
	return snd_ctl_add(card, kcontrol) ? NULL : kcontrol;
}
EXPORT_SYMBOL_GPL(demo_add);

void demo_remove(struct snd_card *card, struct snd_kcontrol *kcontrol)
{
	snd_ctl_remove(card, kcontrol); // RACE!
}
EXPORT_SYMBOL_GPL(demo_remove);
MODULE_LICENSE("GPL");
