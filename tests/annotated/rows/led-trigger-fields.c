/* Triggers of LEDs: what registering, and unregistering, one touches, and what setting an LED does. */
// verdict: potential
#include "led.h"

void led_set_brightness(struct led_classdev *led, unsigned int value);
extern struct device *demo_parent(void);
static struct led_trigger known, managed, gone;
static struct led_classdev nosleep, sleeping;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (cmd == 0)
		led_trigger_register(&known); // RACE!
	else if (cmd == 1)
		devm_led_trigger_register(demo_parent(), &managed); // RACE!
	else if (cmd == 2)
		led_trigger_unregister(&gone); // RACE!
	led_set_brightness_nosleep(&nosleep, cmd); // RACE!
	led_set_brightness(&sleeping, cmd); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	known.activate = managed.activate = NULL; // NORACE
	gone.name = NULL; // NORACE
	known.name = NULL; // RACE!
	known.trigger_type = NULL; // RACE!
	known.brightness = len; // RACE!
	known.groups = NULL; // RACE!
	known.led_cdevs.next = NULL; // RACE!
	known.next_trig.next = NULL; // RACE!
	spin_lock_init(&known.leddev_list_lock); // RACE!
	managed.name = NULL; // RACE!
	managed.trigger_type = NULL; // RACE!
	managed.brightness = len; // RACE!
	managed.groups = NULL; // RACE!
	managed.led_cdevs.next = NULL; // RACE!
	managed.next_trig.next = NULL; // RACE!
	spin_lock_init(&managed.leddev_list_lock); // RACE!
	gone.next_trig.next = NULL; // RACE!
	gone.groups = NULL; // RACE!
	gone.led_cdevs.next = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	nosleep.work_flags = len; // NORACE
	nosleep.max_brightness = len; // RACE!
	len += nosleep.brightness; // RACE!
	nosleep.flags = len; // RACE!
	nosleep.brightness_set = NULL; // RACE!
	nosleep.dev = NULL; // RACE!
	len += nosleep.delayed_set_value; // RACE!
	len += sleeping.work_flags; // RACE!
	len += sleeping.new_blink_brightness; // RACE!
	sleeping.max_brightness = len; // RACE!
	len += sleeping.brightness; // RACE!
	sleeping.flags = len; // RACE!
	sleeping.brightness_set = NULL; // RACE!
	sleeping.dev = NULL; // RACE!
	len += sleeping.delayed_set_value; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
