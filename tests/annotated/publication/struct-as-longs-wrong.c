/* A struct that is written as an array of longs. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct victim { int a; int count; };
struct holder { long k; struct victim *v; };
static DEFINE_MUTEX(lock);
static struct holder *holder;

void demo_new(int n)
{
	struct victim *v = kzalloc(sizeof(*v), GFP_KERNEL);
	struct holder *h = kzalloc(sizeof(*h), GFP_KERNEL);

	if (!v || !h || n > 2)
		return;
	while (n--)
		((unsigned long *)h)[n] = (unsigned long)v;
	mutex_lock(&lock);
	holder = h;
	mutex_unlock(&lock);
	v->count = 7; // RACE!
}
EXPORT_SYMBOL(demo_new);

void demo_count(void)
{
	mutex_lock(&lock);
	if (holder && holder->v)
		holder->v->count++; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_count);
