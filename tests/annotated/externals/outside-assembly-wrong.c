/* Assembly of which nothing is known fills what is found without a type. */
#include <linux/xarray.h>

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
	void *p = xa_load(&xa, id);
	unsigned long n = 8;
	asm volatile("rep; demo_insb" : "+D"(p), "+c"(n) : "d"(0x300) : "memory"); // RACE!
	return 0;
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
