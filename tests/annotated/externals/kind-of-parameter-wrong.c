/* A pointer without a type is taken for one struct in one branch; what is freed behind that may be another. */
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);
struct other { int kind; int speed; };
struct demo { int kind; int pad; int count; };
static DEFINE_XARRAY(xa);
int demo_set(int id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	demo->kind = 1;
	xa_store(&xa, id, demo, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_set);
int other_set(int id)
{
	struct other *other = kzalloc(sizeof(*other), GFP_KERNEL);
	if (!other) return -ENOMEM;
	xa_store(&xa, id, other, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(other_set);

void any_del(void *p, int is_other)
{
	if (is_other)
		((struct other *)p)->speed = 0; // RACE!
	kfree(p); // RACE!
}
EXPORT_SYMBOL(any_del);
void *demo_find(int id)
{
	return xa_load(&xa, id);
}
EXPORT_SYMBOL(demo_find);

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
