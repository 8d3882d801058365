/* A control has the data that it was made with; private_free runs behind all other functions of its own control, but what controls share needs a lock. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <whole/snd.h>

struct demo {
	int level, writes;
};

static int demo_changes;

static int demo_get(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol)
{
	struct demo *demo = kcontrol->private_data; // NORACE

	ucontrol->value[0] = demo->level; // NORACE
	ucontrol->value[1] = demo->writes; // RACE!
	ucontrol->value[2] = kcontrol->private_value; // RACE!
	return 0;
}

/* The OSS mixer calls put with the core's semaphore for reading: mixer_oss.c:655. */
static int demo_put(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol)
{
	struct demo *demo = kcontrol->private_data; // NORACE

	demo->writes++; // RACE!
	kcontrol->private_value = ucontrol->value[0]; // RACE!
	return 1;
}

static void demo_free(struct snd_kcontrol *kcontrol)
{
	demo_changes++; // RACE!
	kfree(kcontrol->private_data); // RACE: another control may have the same data
	kcontrol->private_data = NULL; // NORACE
}

static const struct snd_kcontrol_new demo_control = {
	.name = "demo",
	.get = demo_get,
	.put = demo_put,
};

int demo_add(struct snd_card *card)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL); // NORACE
	struct snd_kcontrol *kcontrol;
	int err;

	if (!demo)
		return -ENOMEM;
	kcontrol = snd_ctl_new1(&demo_control, demo);
	if (!kcontrol) {
		kfree(demo);
		return -ENOMEM;
	}
	demo->level = 1; // NORACE
	kcontrol->private_free = demo_free; // NORACE
	err = snd_ctl_add(card, kcontrol);
	if (err < 0)
		return err;
	demo->writes = 1; // RACE!
	return 0;
}
EXPORT_SYMBOL_GPL(demo_add);

MODULE_LICENSE("GPL");
