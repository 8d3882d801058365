/* A function that is called by name here, and through a pointer there, with another function. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo { int a; int level; };
typedef void (*fn_t)(struct demo *demo);
typedef void (*run_t)(struct demo *demo, fn_t fn);
static DEFINE_MUTEX(lock);
static struct demo *current_demo;

static void nothing(struct demo *demo) { barrier(); }
static void reset(struct demo *demo) { demo->level = 0; } // RACE!
static noinline void run(struct demo *demo, fn_t fn) { fn(demo); }
static noinline void run_not(struct demo *demo, fn_t fn) { }

void demo_go(int n)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);
	run_t r = n ? run : run_not;

	if (!d)
		return;
	mutex_lock(&lock);
	current_demo = d;
	mutex_unlock(&lock);
	run(d, nothing);
	r(d, reset);
}
EXPORT_SYMBOL(demo_go);

void demo_set(int n)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);
