/* A struct that is stored as bytes where code outside finds it. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo { int a; u8 level; };
static DEFINE_MUTEX(lock);
static struct demo *current_demo;

static struct demo *demo_make(void)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	mutex_lock(&lock);
	if (d)
		current_demo = d;
	mutex_unlock(&lock);
	return d;
}

void demo_set(u8 n)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // MISSED: nobody sees that code outside finds it there as bytes
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);

extern u8 *outside_bytes;
void demo_new(void) { outside_bytes = (u8 *)demo_make(); } // RACE!
EXPORT_SYMBOL(demo_new);

u8 demo_peek(u8 *p) { return p[4]; } // MISSED: see above
EXPORT_SYMBOL(demo_peek);
