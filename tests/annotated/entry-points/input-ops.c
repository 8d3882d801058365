/* Callbacks of an input device, set in code: open and close under its mutex, event under its spinlock. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/input.h>
#include <linux/platform_device.h>

struct demo {
	int users, beeps, polls;
};

static int demo_open(struct input_dev *input)
{
	struct demo *demo = input_get_drvdata(input);

	demo->users++; // NORACE
	demo->beeps = 0; // RACE!
	return 0;
}

static void demo_close(struct input_dev *input)
{
	struct demo *demo = input_get_drvdata(input);

	demo->users--; // NORACE
	demo->polls = 0; // RACE!
}

static int demo_event(struct input_dev *input, unsigned int type, unsigned int code, int value)
{
	struct demo *demo = input_get_drvdata(input);

	demo->beeps++; // RACE!
	return 0;
}

static void demo_poll(struct input_dev *input)
{
	struct demo *demo = input_get_drvdata(input); // RACE: that polling stops when the device is unregistered is not used

	demo->polls++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct input_dev *input = devm_input_allocate_device(&pdev->dev); // RACE: the same
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!input || !demo)
		return -ENOMEM;
	input_set_drvdata(input, demo);
	input->open = demo_open;
	input->close = demo_close;
	input->event = demo_event;
	if (input_setup_polling(input, demo_poll))
		return -EINVAL;
	return input_register_device(input);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
