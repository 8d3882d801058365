/* What the kernel's array gives back is a struct of the module's, and is written as numbers: that it was put there as a struct is not
 * seen. */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
static DEFINE_XARRAY(xa);
int demo_set(int id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	xa_store(&xa, id, demo, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_set);
void demo_poke(int id)
{
	int *w = xa_load(&xa, id);
	w[1] = 3; // RACE!
}
EXPORT_SYMBOL(demo_poke);
int demo_count(int id)
{
	struct demo *demo = xa_load(&xa, id);
	int n;
	mutex_lock(&lock);
	n = demo->count; // MISSED: what code outside gives back is not taken for what was put there
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
