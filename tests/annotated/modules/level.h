#include <linux/mutex.h>
#include <linux/types.h>

struct level {
	struct mutex lock;
	int value;
	const u16 *steps;
	u16 last;
};

int level_set(struct level *level, int value);
int level_get(struct level *level);
int level_init(struct level *level);
