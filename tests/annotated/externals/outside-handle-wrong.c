/* The module gives out a handle without a type. Who has it gives it back, and code outside fills what it leads to. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
void *demo_open(void)
{
	return kzalloc(sizeof(struct demo), GFP_KERNEL);
}
EXPORT_SYMBOL(demo_open);
int demo_send(void *handle)
{
	return chip_fill(the_chip, handle, 8); // RACE!
}
EXPORT_SYMBOL(demo_send);
int demo_count(void *handle)
{
	struct demo *demo = handle;
	int n;
	mutex_lock(&lock);
	n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
