/* A parameter without a type is put in a variable of a struct at the beginning: what is freed through it is that struct, and no
 * other. */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct foo {
	int kind;
	int size;
};

struct bar {
	int kind;
	int count;
};

extern void register_cleanup(void (*cleanup)(void *data));

static DEFINE_MUTEX(lock);
static DEFINE_XARRAY(bars);

static void demo_cleanup(void *data)
{
	struct foo *foo = data;

	if (foo->kind) // RACE!
		return;
	kfree(data); // RACE!
}

void demo_setup(void)
{
	register_cleanup(demo_cleanup);
}
EXPORT_SYMBOL(demo_setup);

int demo_make(int id)
{
	struct bar *bar = kzalloc(sizeof(*bar), GFP_KERNEL);

	if (!bar)
		return -ENOMEM;
	xa_store(&bars, id, bar, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_make);

int demo_count(int id)
{
	struct bar *bar = xa_load(&bars, id);
	int count;

	mutex_lock(&lock);
	count = bar->count++; // NORACE
	mutex_unlock(&lock);
	return count;
}
EXPORT_SYMBOL(demo_count);
