/* An object that is taken for nothing yet is found by others as a struct, and filled afterwards. */
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
static DEFINE_XARRAY(xa);
int demo_add(int id)
{
	void *p = kmalloc(sizeof(struct demo), GFP_KERNEL);
	if (!p) return -ENOMEM;
	xa_store(&xa, id, p, GFP_KERNEL);
	memset(p, 0, sizeof(struct demo)); // RACE!
	return 0;
}
EXPORT_SYMBOL(demo_add);
int demo_count(int id)
{
	struct demo *demo = xa_load(&xa, id);
	int n;
	mutex_lock(&lock);
	n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
