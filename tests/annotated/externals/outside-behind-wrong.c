/* Behind a struct of the module's lies another one; code outside gets the address of the first, and fills both. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct head { int len; };
struct tail { int a; int b; };
static void *frame;
static struct tail *the_tail;
int demo_make(void)
{
	struct head *head = kzalloc(sizeof(struct head) + sizeof(struct tail), GFP_KERNEL);
	if (!head) return -ENOMEM;
	mutex_lock(&lock);
	frame = head;
	the_tail = (struct tail *)(head + 1);
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_make);
int demo_read(void)
{
	void *p;
	mutex_lock(&lock);
	p = frame;
	mutex_unlock(&lock);
	return chip_fill(the_chip, p, 12); // RACE!
}
EXPORT_SYMBOL(demo_read);
int demo_b(void)
{
	int n = 0;
	mutex_lock(&lock);
	if (the_tail)
		n = the_tail->b; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_b);
