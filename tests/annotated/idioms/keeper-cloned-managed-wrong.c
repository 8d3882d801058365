/* A struct is copied by a function of the kernel's into a block without a type: two have one front, each with a lock
 * of its own. */
#include <linux/xarray.h>

struct buf { int data; };
struct demo { struct mutex a; struct buf *front; };
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

extern void *devm_kmemdup(struct device *dev, const void *src, size_t n, gfp_t gfp);
int demo_clone(struct device *dev, int id)
{
	xa_store(&xa, id + 1, devm_kmemdup(dev, xa_load(&xa, id), sizeof(struct demo), GFP_KERNEL), GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_clone);
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
