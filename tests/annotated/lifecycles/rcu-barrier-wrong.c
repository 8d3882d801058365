/* synchronize_rcu waits for readers, not for callbacks; and the count is set when they may run. */
// verdict: potential
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

struct item {
	struct rcu_head rcu;
};

static int freed;

static void item_free(struct rcu_head *rcu)
{
	freed++; // RACE!
	kfree(container_of(rcu, struct item, rcu)); // NORACE
}

static int __init demo_init(void)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	call_rcu(&item->rcu, item_free);
	freed = 0; // RACE!
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	synchronize_rcu();
	freed = 0; // RACE!
}
module_exit(demo_exit);
