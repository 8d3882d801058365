/* A CPU's pointer leads to an object that others have, too. */
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);
#include <linux/percpu.h>
struct demo { int a; int count; };
static DEFINE_PER_CPU(void *, cur);
static struct demo *the_demo;
int demo_set(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	WRITE_ONCE(the_demo, demo);
	this_cpu_write(cur, demo);
	return 0;
}
EXPORT_SYMBOL(demo_set);

void demo_read(int n)
{
	struct demo *p = this_cpu_read(cur);
	p->count++; // RACE!
}
EXPORT_SYMBOL(demo_read);

int demo_count(void)
{
	struct demo *demo = READ_ONCE(the_demo);
	int n;
	mutex_lock(&lock);
	n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
