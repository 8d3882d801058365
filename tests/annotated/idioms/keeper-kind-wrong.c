/* A struct is copied to where a pointer without a type leads, of which one branch names a member of another struct. */
#include <linux/xarray.h>

struct buf { int data; };
struct head { int kind; int x; };
struct demo { int kind; int y; struct mutex a; struct buf *front; };
static DEFINE_XARRAY(xa);
int demo_make(int id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	demo->front = kzalloc(sizeof(struct buf), GFP_KERNEL);
	if (!demo->front) return -ENOMEM;
	mutex_init(&demo->a);
	xa_store(&xa, id, demo, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_make);
int demo_clone(int id, void *to)
{
	struct demo *demo = xa_load(&xa, id);
	if (((struct head *)to)->kind != 1) // RACE!
		return -EINVAL;
	memcpy(to, demo, sizeof(*demo)); // RACE!
	return 0;
}
EXPORT_SYMBOL(demo_clone);
void *demo_handle(int id)
{
	return xa_load(&xa, id);
}
EXPORT_SYMBOL(demo_handle);
int demo_a(int id)
{
	struct demo *demo = xa_load(&xa, id);
	int n;
	mutex_lock(&demo->a);
	n = demo->front->data++; // RACE!
	mutex_unlock(&demo->a);
	return n;
}
EXPORT_SYMBOL(demo_a);
