/* A pointer is copied into bytes and back, and then handed to code outside. */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);

static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
struct rec { u8 raw[16]; };
static struct rec rec;
static struct demo *the_demo;
int demo_set(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	WRITE_ONCE(the_demo, demo);
	mutex_lock(&lock);
	memcpy(rec.raw + 4, &demo, sizeof(demo));
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_set);

int demo_read(int n)
{
	void *p;
	mutex_lock(&lock);
	memcpy(&p, rec.raw + 4, sizeof(p));
	mutex_unlock(&lock);
	return chip_fill(the_chip, p, 8); // RACE!
}
EXPORT_SYMBOL(demo_read);

int demo_count(void)
{
	struct demo *demo = READ_ONCE(the_demo);
	int n;
	mutex_lock(&lock);
	n = demo->count; // MISSED: a pointer that was put together from bytes counts as data
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
