/* Code outside has no access to members of a struct that only this file declares, whatever else it is given. */
// assume: private-struct
#include <linux/device.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct chip;
extern int chip_read(struct chip *chip, int reg);

struct demo {
	struct mutex lock;
	struct chip *chip;
	int count;
};

int demo_read(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);
	struct chip *chip = demo->chip; // NORACE

	return chip_read(chip, 1); // RACE: nobody knows what two calls do to one chip
}
EXPORT_SYMBOL(demo_read);

int demo_count(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev);
	int count;

	mutex_lock(&demo->lock); // NORACE
	count = demo->count++; // NORACE
	mutex_unlock(&demo->lock);
	return count;
}
EXPORT_SYMBOL(demo_count);
