/* Effects are uploaded under a mutex, which is not the lock under which they are played; and played until the device is gone. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>
#include <linux/slab.h>

struct ff_effect;
struct ff_device {
	int (*upload)(struct input_dev *dev, struct ff_effect *effect, struct ff_effect *old);
	int (*erase)(struct input_dev *dev, int effect_id);
	int (*playback)(struct input_dev *dev, int effect_id, int value);
	void (*set_gain)(struct input_dev *dev, u16 gain);
	struct mutex mutex;
};
int input_ff_create(struct input_dev *dev, unsigned int max_effects);

struct demo {
	int gain, loaded;
};

static struct input_dev *the_dev;

static int demo_playback(struct input_dev *dev, int effect_id, int value)
{
	struct demo *demo = input_get_drvdata(dev);

	demo->gain++; // RACE!
	demo->loaded--; // RACE!
	return 0;
}

static void demo_set_gain(struct input_dev *dev, u16 value)
{
	struct demo *demo = input_get_drvdata(dev);

	demo->gain = value; // RACE!
}

static int demo_upload(struct input_dev *dev, struct ff_effect *effect, struct ff_effect *old)
{
	struct demo *demo = input_get_drvdata(dev);

	demo->loaded++; // RACE!
	return 0;
}

static int __init demo_init(void)
{
	struct input_dev *dev = input_allocate_device();
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!dev || !demo)
		return -ENOMEM;
	demo->gain = 1; // NORACE
	input_set_drvdata(dev, demo);
	err = input_ff_create(dev, 4);
	if (err)
		return err;
	dev->ff->playback = demo_playback;
	dev->ff->set_gain = demo_set_gain;
	dev->ff->upload = demo_upload;
	err = input_register_device(dev);
	if (err)
		return err;
	the_dev = dev;
	return 0;
}

static void __exit demo_exit(void)
{
	struct demo *demo = input_get_drvdata(the_dev);

	demo->gain = 0; // RACE!
	input_unregister_device(the_dev);
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
