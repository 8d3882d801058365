/* Lights and fans: nobody holds a lock; the state that is asked for belongs to the call. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/leds.h>
#include <linux/thermal.h>

static int light;
static unsigned long speed;

static void demo_brightness_set(struct led_classdev *led, enum led_brightness brightness)
{
	light = brightness; // RACE!
}

static enum led_brightness demo_brightness_get(struct led_classdev *led)
{
	return light; // RACE!
}

static struct led_classdev demo_led = {
	.brightness_set = demo_brightness_set,
	.brightness_get = demo_brightness_get,
};

static int demo_get_cur_state(struct thermal_cooling_device *cdev, unsigned long *state)
{
	*state = 0; // NORACE
	*state += speed; // RACE!
	return 0;
}

static int demo_set_cur_state(struct thermal_cooling_device *cdev, unsigned long state)
{
	speed = state; // RACE!
	return 0;
}

static const struct thermal_cooling_device_ops demo_ops = {
	.get_cur_state = demo_get_cur_state,
	.set_cur_state = demo_set_cur_state,
};

static int __init demo_init(void)
{
	thermal_cooling_device_register("demo", NULL, &demo_ops);
	return devm_led_classdev_register(NULL, &demo_led);
}
module_init(demo_init);
