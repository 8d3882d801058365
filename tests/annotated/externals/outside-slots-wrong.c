/* An array of the module's has pointers without a type; code outside fills what one of them leads to. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
static void *slots[8];
int demo_add(int id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	mutex_lock(&lock);
	slots[id & 7] = demo;
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_add);
int demo_read(int id)
{
	void *p;
	mutex_lock(&lock);
	p = slots[id & 7];
	mutex_unlock(&lock);
	return chip_fill(the_chip, p, 8); // RACE!
}
EXPORT_SYMBOL(demo_read);
int demo_count(int id)
{
	struct demo *demo;
	int n = 0;
	mutex_lock(&lock);
	demo = slots[id & 7];
	if (demo)
		n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
