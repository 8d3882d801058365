/* What an RCU callback counts, exit resets after it has waited for all callbacks. */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

struct item {
	struct rcu_head rcu;
};

static int freed;
void rcu_barrier(void);

static void item_free(struct rcu_head *rcu)
{
	freed++; // RACE: rcu_barrier does not say whose callbacks it waits for
	kfree(container_of(rcu, struct item, rcu)); // NORACE
}

static int __init demo_init(void)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	freed = 0; // NORACE
	call_rcu(&item->rcu, item_free);
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	rcu_barrier();
	freed = 0; // RACE: as above
}
module_exit(demo_exit);
