/* What a flash LED is made with is there before its functions may run; what is asked for is put in a local. */
// verdict: race-free
#include <linux/module.h>
#include <linux/leds.h>
#include <linux/slab.h>
#include <linux/platform_device.h>

struct led_classdev_flash;
struct led_flash_ops {
	int (*strobe_set)(struct led_classdev_flash *led, bool state);
	int (*strobe_get)(struct led_classdev_flash *led, bool *state);
};
struct led_classdev_flash {
	struct led_classdev led_cdev;
	const struct led_flash_ops *ops;
	const void *sysfs_groups[4];
};
int led_classdev_flash_register_ext(struct device *parent, struct led_classdev_flash *led, struct led_init_data *init);

struct demo {
	struct led_classdev_flash led;
	int kind;
};

static int demo_strobe_set(struct led_classdev_flash *led, bool state)
{
	struct demo *demo = container_of(led, struct demo, led);

	return demo->kind; // NORACE
}

static int demo_strobe_get(struct led_classdev_flash *led, bool *state)
{
	*state = true; // NORACE
	return 0;
}

static const struct led_flash_ops demo_ops = { .strobe_set = demo_strobe_set, .strobe_get = demo_strobe_get };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->kind = 1; // NORACE
	demo->led.ops = &demo_ops;
	return led_classdev_flash_register_ext(&pdev->dev, &demo->led, NULL);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
