/* A pointer that is copied byte by byte into an array of pointers. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo { int a; u8 level; };
static DEFINE_MUTEX(lock);
static struct demo *current_demo;

static noinline void copy(u8 *to, u8 *from) { int i; for (i = 0; i < 8; i++) to[i] = from[i]; }

void demo_new(void)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);
	u8 **p = kmalloc(8, GFP_KERNEL), **q = kmalloc(8, GFP_KERNEL), *z = kmalloc(8, GFP_KERNEL);

	if (!d || !p || !q || !z)
		return;
	mutex_lock(&lock);
	current_demo = d;
	mutex_unlock(&lock);
	*q = z;
	*p = &d->level;
	copy((u8 *)q, (u8 *)p);
	**q = 1; // RACE!
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
