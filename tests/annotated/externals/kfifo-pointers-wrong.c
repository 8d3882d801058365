/* Pointers that go through a fifo. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/kfifo.h>

struct demo { int a; u8 level; };
static DEFINE_MUTEX(lock);
static struct demo *current_demo;
static struct __kfifo fifo;

int demo_init(void) { return __kfifo_alloc(&fifo, 16, sizeof(struct demo *), GFP_KERNEL); } // RACE!
EXPORT_SYMBOL(demo_init);

void demo_new(void)
{
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!d)
		return;
	mutex_lock(&lock);
	current_demo = d;
	__kfifo_in(&fifo, &d, 1); // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_new);

void demo_next(void)
{
	struct demo *d = NULL;
	unsigned int n;

	mutex_lock(&lock);
	n = __kfifo_out(&fifo, &d, 1); // RACE!
	mutex_unlock(&lock);
	if (n)
		d->level = 1; // RACE!
}
EXPORT_SYMBOL(demo_next);

void demo_set(u8 n)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_set);
