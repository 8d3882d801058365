/* A function that moves a device has a row: its parent changes. */
#include <linux/uaccess.h>
extern int device_move(struct device *dev, struct device *parent, int order);

int demo_store(struct device *dev, struct device *parent)
{
	return device_move(dev, parent, 0); // RACE!
}
EXPORT_SYMBOL(demo_store);
void *demo_show(struct device *dev)
{
	return dev->parent; // RACE!
}
EXPORT_SYMBOL(demo_show);
