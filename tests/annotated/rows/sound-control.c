/* What the functions of a control get to fill in belongs to the call; what they keep themselves needs a lock. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/mutex.h>
#include <sound/core.h>
#include <sound/control.h>

static DEFINE_MUTEX(demo_lock);
static int demo_volume, demo_changes;

static int demo_info(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_info *uinfo)
{
	uinfo->type = 2; // NORACE
	uinfo->count = 1; // NORACE
	return 0;
}

static int demo_get(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol)
{
	mutex_lock(&demo_lock);
	ucontrol->value.integer.value[0] = demo_volume; // NORACE
	mutex_unlock(&demo_lock);
	ucontrol->value.integer.value[1] = demo_changes; // RACE!
	return 0;
}

static int demo_put(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol)
{
	mutex_lock(&demo_lock);
	demo_volume = ucontrol->value.integer.value[0]; // NORACE
	mutex_unlock(&demo_lock);
	demo_changes++; // RACE!
	return 1;
}

static const struct snd_kcontrol_new demo_control = {
	.name = "demo",
	.info = demo_info,
	.get = demo_get,
	.put = demo_put,
};

int demo_add(const struct snd_kcontrol_new *control);

static int __init demo_init(void)
{
	return demo_add(&demo_control);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
