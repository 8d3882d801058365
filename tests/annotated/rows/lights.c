/* Lights, cooling devices without a node, and attributes of an RTC: the core asks and sets at once, in the thread that
   registers, and keeps what the functions find. */
#include <linux/device.h>
#include <linux/leds.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/thermal.h>

void thermal_cooling_device_unregister(struct thermal_cooling_device *cooling);

struct lamp {
	struct mutex lock;
	int level, set, shown, early;
	struct led_classdev led;
	struct thermal_cooling_device *cooling;
};

static void lamp_set(struct led_classdev *led, enum led_brightness brightness)
{
	struct lamp *lamp = container_of(led, struct lamp, led);

	mutex_lock(&lamp->lock);
	lamp->level = brightness; // NORACE
	mutex_unlock(&lamp->lock);
	lamp->set++; // RACE!
}

static enum led_brightness lamp_get(struct led_classdev *led)
{
	struct lamp *lamp = container_of(led, struct lamp, led);

	return lamp->shown + // RACE!
	       led->brightness; // RACE!
}

static int lamp_get_max_state(struct thermal_cooling_device *cooling, unsigned long *state)
{
	*state = 1; // NORACE
	return 0;
}

static int lamp_get_cur_state(struct thermal_cooling_device *cooling, unsigned long *state)
{
	struct lamp *lamp = cooling->devdata; // RACE: the device may end at any time, as far as the rows say

	mutex_lock(&lamp->lock);
	*state = lamp->level; // NORACE
	mutex_unlock(&lamp->lock);
	return 0;
}

static int lamp_set_cur_state(struct thermal_cooling_device *cooling, unsigned long state)
{
	return 0;
}

static const struct thermal_cooling_device_ops lamp_ops = {
	.get_max_state = lamp_get_max_state,
	.get_cur_state = lamp_get_cur_state,
	.set_cur_state = lamp_set_cur_state,
};

static int demo_probe(struct platform_device *pdev)
{
	struct lamp *lamp = kzalloc(sizeof(*lamp), GFP_KERNEL);
	int error;

	if (!lamp)
		return -ENOMEM;
	mutex_init(&lamp->lock);
	lamp->early = 1; // NORACE
	lamp->led.brightness_set = lamp_set; // NORACE
	lamp->led.brightness_get = lamp_get; // NORACE
	error = led_classdev_register_ext(&pdev->dev, &lamp->led, NULL); // RACE!
	if (error)
		return error;
	lamp->shown = 1; // RACE!
	dev_set_drvdata(&pdev->dev, lamp);
	lamp->cooling = thermal_cooling_device_register("lamp", lamp, &lamp_ops); // NORACE
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct lamp *lamp = dev_get_drvdata(&pdev->dev);

	thermal_cooling_device_unregister(lamp->cooling); // RACE: nobody asks it any more
	led_classdev_unregister(&lamp->led); // RACE!
	return lamp->early; // NORACE
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
