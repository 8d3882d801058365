/* What a notifier gets is taken for one struct in one branch; what is freed behind that may be another. */
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);
struct other { int kind; int speed; };
struct demo { int kind; int pad; int count; };
static DEFINE_XARRAY(xa);
int demo_set(int id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	demo->kind = 1;
	xa_store(&xa, id, demo, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(demo_set);
int other_set(int id)
{
	struct other *other = kzalloc(sizeof(*other), GFP_KERNEL);
	if (!other) return -ENOMEM;
	xa_store(&xa, id, other, GFP_KERNEL);
	return 0;
}
EXPORT_SYMBOL(other_set);

extern struct blocking_notifier_head board_chain;
static int any_event(struct notifier_block *nb, unsigned long is_other, void *p)
{
	if (is_other)
		((struct other *)p)->speed = 0; // RACE!
	kfree(p); // RACE!
	return 0;
}
static struct notifier_block demo_nb = { .notifier_call = any_event };
int demo_init_nb(void)
{
	return blocking_notifier_chain_register(&board_chain, &demo_nb); // RACE!
}
EXPORT_SYMBOL(demo_init_nb);
int demo_fire(int id)
{
	return blocking_notifier_call_chain(&board_chain, 1, xa_load(&xa, id)); // RACE: nobody knows what others do to what they get
}
EXPORT_SYMBOL(demo_fire);
void *demo_find(int id)
{
	return xa_load(&xa, id);
}
EXPORT_SYMBOL(demo_find);

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
