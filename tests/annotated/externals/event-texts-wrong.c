/* An event has texts, which are read. */
// verdict: potential
#include <linux/device.h>
#include "found.h"

int kobject_uevent_env(struct kobject *object, int action, char *texts[]);

static struct device device;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	char *texts[] = { (char *)shared, NULL };

	return kobject_uevent_env(&device.kobj, 2, texts); // RACE!
}
