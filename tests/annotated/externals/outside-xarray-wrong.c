/* What an array of the kernel's gives back without a type goes to code outside, which fills it without the lock. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
static DEFINE_XARRAY(xa);
int demo_add(int id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	xa_store(&xa, id, demo, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_add);
int demo_read(int id)
{
	return chip_fill(the_chip, xa_load(&xa, id), 8); // RACE!
}
EXPORT_SYMBOL(demo_read);
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
