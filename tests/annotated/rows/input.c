/* Input devices: maps and tables of the device that are changed without a lock, and effects that are played under its
   event_lock. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/input.h>
#include <linux/platform_device.h>

struct ff_effect { u16 type, id; };
struct touchscreen_properties { unsigned int max_x; };
int input_ff_create_memless(struct input_dev *dev, void *data, int (*play)(struct input_dev *, void *, struct ff_effect *));
int input_ff_create(struct input_dev *dev, unsigned int n);
int input_mt_init_slots(struct input_dev *dev, unsigned int n, unsigned int flags);
void input_set_abs_params(struct input_dev *dev, unsigned int axis, int min, int max, int fuzz, int flat);
void touchscreen_parse_properties(struct input_dev *dev, bool multitouch, struct touchscreen_properties *properties);

struct demo {
	struct input_dev *input;
	int early, late, locked, played;
};
static struct touchscreen_properties properties;

static int demo_play(struct input_dev *input, void *data, struct ff_effect *effect)
{
	struct demo *demo = input_get_drvdata(input);

	effect->id = demo->early; // NORACE
	demo->locked++; // NORACE
	return demo->late + demo->played++; // RACE!
}

static int demo_event(struct input_dev *input, unsigned int type, unsigned int code, int value)
{
	struct demo *demo = input_get_drvdata(input);

	demo->locked = value; // NORACE
	return 0;
}

static int demo_open(struct input_dev *input)
{
	struct demo *demo = input_get_drvdata(input);

	demo->played = 0; // RACE!
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct input_dev *input = input_allocate_device();

	if (!demo || !input)
		return -ENOMEM;
	demo->input = input;
	demo->early = 1; // NORACE
	input_set_drvdata(input, demo);
	input->open = demo_open;
	input->event = demo_event;
	input_set_abs_params(input, 1, 1, 1, 1, 1); // NORACE
	input_mt_init_slots(input, 1, 1); // NORACE
	input_ff_create_memless(input, demo, demo_play); // NORACE
	demo->late = 1; // RACE!
	return input_register_device(input); // RACE: the device of demo_close is another one, but nothing says so
}

/* What belongs before the registration is a race after it. */
static int demo_getkeycode(struct input_dev *input, struct input_keymap_entry *entry)
{
	return input->absbit[0] + input->propbit[0]; // RACE!
}

static int demo_setkeycode(struct input_dev *input, const struct input_keymap_entry *entry, unsigned int *old)
{
	return !input->ff + !input->mt + !input->absinfo; // RACE!
}

static void demo_close(struct input_dev *input)
{
	input_set_abs_params(input, 1, 1, 1, 1, 1); // RACE!
	input_mt_init_slots(input, 1, 1); // RACE!
	input_ff_create(input, 1); // RACE!
	touchscreen_parse_properties(input, false, &properties); // RACE!
}

static struct input_dev late = {
	.close = demo_close,
	.getkeycode = demo_getkeycode,
	.setkeycode = demo_setkeycode,
};

static int demo_resume(struct platform_device *pdev)
{
	return input_register_device(&late); // RACE!
}

/* The functions may still run: it does not wait. */
static int demo_remove(struct platform_device *pdev)
{
	input_unregister_device(&late);
	late.propbit[0] = 1; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.resume = demo_resume,
};
module_platform_driver(demo_driver);
