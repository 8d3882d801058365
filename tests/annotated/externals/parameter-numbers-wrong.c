/* A parameter without a type is put in a variable of a struct in one branch, and in one of numbers in another. */
#include <linux/uaccess.h>
static DEFINE_MUTEX(lock);

struct foo { struct list_head l; int count; char pad[64]; };
struct bar { int count; int other; char name[80]; };
extern void register_cb(void (*fn)(void *data, int kind));

static struct bar *the_bar;
static void event(void *data, int kind)
{
	if (kind == 0) {
		struct foo *f = data;
		f->count = 1; // RACE!
	} else {
		int *p = data;
		*p = 1; // RACE!
	}
}
int demo_setup(struct foo *f)
{
	struct bar *b = kzalloc(sizeof(*b), GFP_KERNEL);
	if (!b)
		return -ENOMEM;
	the_bar = b; // RACE!
	register_cb(event);
	event(f, 0);
	return 0;
}
EXPORT_SYMBOL(demo_setup);
void demo_event(struct bar *b)
{
	event(b, 1);
}
EXPORT_SYMBOL(demo_event);
int demo_count(struct bar *b)
{
	int n;
	mutex_lock(&lock);
	n = b->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
