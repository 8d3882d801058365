/* A trigger: what it has for an LED comes and goes under that LED's lock, and no more once it is unregistered. */
// verdict: potential
#include "led.h"

struct demo { struct timer_list timer; struct led_classdev *led; int count; };

static int users, late;

static void demo_timer(struct timer_list *timer)
{
	struct demo *demo = from_timer(demo, timer, timer);

	demo->count++; // NORACE
	led_set_brightness_nosleep(demo->led, demo->count); // RACE!
}

static int demo_activate(struct led_classdev *led)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->led = led;
	timer_setup(&demo->timer, demo_timer, 0);
	mod_timer(&demo->timer, 1);
	led->trigger_data = demo; // RACE: the trigger's files come later
	users++; // RACE!
	late++; // RACE!
	return 0;
}

static void demo_deactivate(struct led_classdev *led)
{
	struct demo *demo = led->trigger_data; // NORACE

	del_timer_sync(&demo->timer);
	led->trigger_data = NULL; // RACE: the trigger's files are gone
	users--; // RACE!
}

static ssize_t level_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t len)
{
	struct led_classdev *led = dev->driver_data;

	led_set_brightness_nosleep(led, len); // RACE!
	return led->trigger_data ? len : 0; // RACE: the trigger's files are there only while it is
}
static DEVICE_ATTR(level, 0200, NULL, level_store);
static struct attribute *attrs[] = { &dev_attr_level.attr, NULL };
static const struct attribute_group group = { .attrs = attrs };
static const struct attribute_group *groups[] = { &group, NULL };

static struct led_trigger demo_trigger = {
	.name = "demo",
	.activate = demo_activate,
	.deactivate = demo_deactivate,
	.groups = groups,
};

static int __init demo_init(void)
{
	int error;

	users = 1; // NORACE
	error = led_trigger_register(&demo_trigger); // NORACE
	late = 1; // RACE!
	return error;
}

static void __exit demo_exit(void)
{
	led_trigger_unregister(&demo_trigger); // NORACE
	users = 0; // NORACE
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
