/* Code outside has access to a member whose address it was given, and to a struct that it got as data. */
// verdict: potential
#include <linux/device.h>
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct chip;
extern int chip_read(struct chip *chip, int reg);
extern void chip_counts_at(struct chip *chip, int *count);
extern void chip_fills(struct chip *chip, void *buffer);

struct demo {
	struct mutex lock;
	struct chip *chip;
	int count;
};

struct filled {
	struct mutex lock;
	int level;
};

int demo_init_count(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: what is given as data may be anything

	chip_counts_at(demo->chip, &demo->count); // RACE!
	return chip_read(demo->chip, 1); // RACE!
}
EXPORT_SYMBOL(demo_init_count);

int demo_count(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: what is given as data may be anything
	int count;

	mutex_lock(&demo->lock);
	count = demo->count++; // RACE!
	mutex_unlock(&demo->lock);
	return count;
}
EXPORT_SYMBOL(demo_count);

int demo_fill(struct chip *chip, void *filled)
{
	chip_fills(chip, filled); // RACE!
	return 0;
}
EXPORT_SYMBOL(demo_fill);

int demo_level(struct chip *chip, struct device *dev)
{
	struct filled *filled = dev_get_drvdata(dev); // RACE: the same
	int level;

	demo_fill(chip, filled);
	mutex_lock(&filled->lock);
	level = filled->level; // RACE!
	mutex_unlock(&filled->lock);
	return level;
}
EXPORT_SYMBOL(demo_level);
