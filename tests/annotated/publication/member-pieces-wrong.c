/* A pointer member that is copied by halves to another member. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct victim { int a; int count; };
struct holder { long k; struct victim *v, *w; };
static DEFINE_MUTEX(lock);
static struct holder *holder;

void demo_new(void)
{
	struct victim *v = kzalloc(sizeof(*v), GFP_KERNEL);
	struct holder *h = kzalloc(sizeof(*h), GFP_KERNEL);

	if (!v || !h)
		return;
	h->v = v;
	((u32 *)&h->w)[0] = ((u32 *)&h->v)[0];
	((u32 *)&h->w)[1] = ((u32 *)&h->v)[1];
	mutex_lock(&lock);
	holder = h;
	mutex_unlock(&lock);
	v->count = 7; // RACE!
}
EXPORT_SYMBOL(demo_new);

void demo_count(void)
{
	mutex_lock(&lock);
	if (holder)
		holder->w->count++; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_count);
