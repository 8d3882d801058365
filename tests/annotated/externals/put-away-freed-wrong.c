/* An object that is taken for nothing yet is found by others as a struct, and freed on the way out of an error. */
#include <linux/xarray.h>

struct chip;
static struct chip *the_chip;
static DEFINE_MUTEX(lock);
struct demo { int a; int count; };
static DEFINE_XARRAY(xa);
extern int chip_ready(struct chip *chip);
int demo_set(int id)
{
	void *p = kzalloc(sizeof(struct demo), GFP_KERNEL);
	if (!p) return -ENOMEM;
	xa_store(&xa, id, p, GFP_KERNEL);
	if (!chip_ready(the_chip)) { // RACE: nobody knows what the function does to the chip
		kfree(p); // RACE!
		return -EIO;
	}
	return 0;
}
EXPORT_SYMBOL(demo_set);
int demo_count(int id)
{
	struct demo *demo = xa_load(&xa, id);
	int n = 0;
	mutex_lock(&lock);
	if (demo)
		n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
