/* Code outside gets the address of a member that holds a function. */
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
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);

typedef void (*fn_t)(u8 *p);
struct ops { long k; fn_t fn; };
void outside_call(fn_t *fn);
void outside_take(u8 *p);

static void fn(u8 *p) { *p = 1; } // MISSED: nobody sees that the function leaves with the address of its member
static struct ops ops = { 1, fn };
static noinline void call(struct ops *o, u8 *p) { o->fn(p); } // RACE!

void demo_new(void)
{
	struct demo *d = demo_make();
	u8 x;

	if (!d)
		return;
	call(&ops, &x);
	outside_take(&d->level); // RACE!
	outside_call(&ops.fn); // RACE!
}
EXPORT_SYMBOL(demo_new);
