/* A struct of the module's is handed to code outside as something of which the module has only the name. */
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);
extern int hash_update(struct hash_state *state, int v);
struct demo { u64 a, count; };
static struct demo *the_demo;
int demo_set(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo) return -ENOMEM;
	WRITE_ONCE(the_demo, demo);
	return 0;
}
EXPORT_SYMBOL(demo_set);
int demo_read(void)
{
	return hash_update((struct hash_state *)READ_ONCE(the_demo), 3); // RACE!
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
