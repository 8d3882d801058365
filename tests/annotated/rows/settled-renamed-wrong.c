/* Functions that rename an object or a device have rows. */
#include <linux/device.h>
#include <linux/export.h>

extern int kobject_rename(struct kobject *kobj, const char *name);
extern int device_rename(struct device *dev, const char *name);

int demo_rename(struct kobject *kobj)
{
	return kobject_rename(kobj, "demo"); // RACE!
}
EXPORT_SYMBOL(demo_rename);

const char *demo_name(struct kobject *kobj)
{
	return kobj->name; // RACE!
}
EXPORT_SYMBOL(demo_name);

int demo_rename_device(struct device *dev)
{
	return device_rename(dev, "demo"); // RACE!
}
EXPORT_SYMBOL(demo_rename_device);

const char *demo_device_name(struct device *dev)
{
	return dev->kobj.name; // RACE!
}
EXPORT_SYMBOL(demo_device_name);
