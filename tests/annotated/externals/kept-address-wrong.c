/* Code outside writes three numbers from the address of the first on, which the struct keeps; the others are not taken for what it
 * has. */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);

static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct demo { u16 *rx; u16 x, y, z; };
static struct demo *the_demo;
int demo_make(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	demo->rx = &demo->x;
	mutex_lock(&lock);
	the_demo = demo;
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_make);
int demo_read(void)
{
	struct demo *demo;
	mutex_lock(&lock);
	demo = the_demo;
	mutex_unlock(&lock);
	return chip_fill(the_chip, demo->rx, 6); // RACE!
}
EXPORT_SYMBOL(demo_read);
int demo_z(void)
{
	int n = 0;
	mutex_lock(&lock);
	if (the_demo)
		n = the_demo->z; // MISSED: behind the address of a member there is that member (private-struct)
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_z);
