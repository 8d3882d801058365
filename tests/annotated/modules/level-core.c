/* What a core exports only one other module calls: that has one lock for all calls, and makes what it gives. */
// with-module: level-bus.c
// model: unshared.xml
// verdict: potential
// assume: unshared-export: level_set
#include <linux/module.h>
#include "level.h"

static const u16 fine[] = { 1, 2, 4 };
static const u16 coarse[] = { 8, 16, 32 };

int level_init(struct level *level)
{
	mutex_init(&level->lock);
	level->steps = level->value ? coarse : fine;
	return 0;
}
EXPORT_SYMBOL_GPL(level_init);

int level_set(struct level *level, int value)
{
	level->value = value; // RACE!
	mutex_lock(&level->lock);
	level->last = level->steps[value & 1]; // NORACE
	mutex_unlock(&level->lock);
	return 0;
}
EXPORT_SYMBOL_GPL(level_set);

int level_get(struct level *level)
{
	return level->value; // RACE!
}
EXPORT_SYMBOL_GPL(level_get);

MODULE_LICENSE("GPL");
