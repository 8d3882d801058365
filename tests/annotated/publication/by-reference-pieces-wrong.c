/* What is given by reference is put together from pieces. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo { int a; u8 level; };
static DEFINE_MUTEX(lock);
static struct demo *current_demo;

static noinline void put(u32 *to, u8 *x) { to[0] = (unsigned long)x; to[1] = (unsigned long)x >> 32; }

void demo_new(void)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);
	u8 *p = NULL;

	if (!d)
		return;
	mutex_lock(&lock);
	current_demo = d;
	mutex_unlock(&lock);
	put((u32 *)&p, &d->level);
	*p = 1; // RACE!
}
EXPORT_SYMBOL(demo_new);

void demo_set(u8 n)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);
