/* What is moved to a larger object takes its pointers along. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

void *krealloc(const void *p, size_t n, gfp_t flags);
struct demo { int a; u8 level; };
struct holder { int n; struct demo *d; };
static DEFINE_MUTEX(lock);
static struct holder *holder;

void demo_new(void)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);
	struct holder *h = kzalloc(sizeof(*h), GFP_KERNEL);

	if (!d || !h)
		return;
	h->d = d;
	h = krealloc(h, 2 * sizeof(*h), GFP_KERNEL);
	if (!h)
		return;
	mutex_lock(&lock);
	holder = h;
	mutex_unlock(&lock);
	d->level = 1; // RACE!
}
EXPORT_SYMBOL(demo_new);

void demo_set(u8 n)
{
	mutex_lock(&lock);
	if (holder)
		holder->d->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);
