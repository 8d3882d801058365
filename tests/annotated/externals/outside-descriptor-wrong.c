/* A descriptor is copied as a block into one of another type, whose buffer code outside fills: it is the struct of
 * the first. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct room { int a; int count; };
struct desc { void *buf; int len; };
struct hw_desc { void *buf; int len; };
static struct desc sw;
static struct hw_desc hw;
static struct room *the_room;
int demo_make(void)
{
	struct room *room = kzalloc(sizeof(*room), GFP_KERNEL);
	if (!room) return -ENOMEM;
	mutex_lock(&lock);
	the_room = room;
	sw.buf = room;
	sw.len = 8;
	memcpy(&hw, &sw, sizeof(hw));
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_make);
int demo_read(void)
{
	void *buf;
	int len;
	mutex_lock(&lock);
	buf = hw.buf;
	len = hw.len;
	mutex_unlock(&lock);
	return chip_fill(the_chip, buf, len); // RACE!
}
EXPORT_SYMBOL(demo_read);
int demo_count(void)
{
	int n = 0;
	mutex_lock(&lock);
	if (the_room)
		n = the_room->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
