/* Triggers that others change while the core knows them, and an LED whose brightness is set beside the core. */
// verdict: potential
#include "led.h"

static struct led_trigger *made;
static DEFINE_MUTEX(lock);

static int demo_activate(struct led_classdev *led)
{
	led_set_brightness_nosleep(led, 1); // RACE!
	made->brightness = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	made->name = "other"; // RACE!
	made->led_cdevs.next = NULL; // RACE!
	made->next_trig.next = NULL; // RACE!
	made->groups = NULL; // RACE!
	return 0;
}

void demo_dim(struct led_classdev *led)
{
	led->max_brightness = 0; // RACE!
	led->brightness = 0; // RACE!
	led->flags = 0; // RACE!
	led->delayed_set_value = 0; // RACE!
}
EXPORT_SYMBOL(demo_dim);

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int demo_probe(struct platform_device *pdev)
{
	struct led_trigger *managed = devm_kzalloc(&pdev->dev, sizeof(*managed), GFP_KERNEL); // RACE!
	int error;

	made = kzalloc(sizeof(*made), GFP_KERNEL); // RACE!
	if (!made || !managed) // RACE!
		return -ENOMEM;
	made->activate = demo_activate; // RACE!
	made->name = "demo"; // RACE!
	managed->activate = demo_activate;
	managed->name = "managed";
	error = misc_register(&demo_misc);
	if (error)
		return error;
	error = devm_led_trigger_register(&pdev->dev, managed);
	if (error)
		return error;
	return led_trigger_register(made); // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	led_trigger_unregister(made); // RACE!
	misc_deregister(&demo_misc);
	kfree(made); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
