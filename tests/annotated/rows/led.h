/* Triggers of LEDs: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/leds.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rwsem.h>
#include <linux/slab.h>
#include <linux/timer.h>

struct led_trigger {
	const char *name;
	int (*activate)(struct led_classdev *led);
	void (*deactivate)(struct led_classdev *led);
	enum led_brightness brightness;
	void *trigger_type;
	spinlock_t leddev_list_lock;
	struct list_head led_cdevs, next_trig;
	const struct attribute_group **groups;
};
int led_trigger_register(struct led_trigger *trigger);
int devm_led_trigger_register(struct device *dev, struct led_trigger *trigger);
void led_trigger_unregister(struct led_trigger *trigger);
void led_set_brightness_nosleep(struct led_classdev *led, unsigned int value);
