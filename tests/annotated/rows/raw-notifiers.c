// verdict: potential
/* A raw chain of notifiers has no lock: two who change it race, as in drivers/net/ethernet/hisilicon/hns/hnae.c:280; who calls it beside
   that does not, for the kernel marks both. */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>

struct raw_notifier_head { struct notifier_block *head; };
int raw_notifier_chain_register(struct raw_notifier_head *chain, struct notifier_block *nb);
int raw_notifier_chain_unregister(struct raw_notifier_head *chain, struct notifier_block *nb);
int raw_notifier_call_chain(struct raw_notifier_head *chain, unsigned long event, void *data);

static struct raw_notifier_head chain, locked, called;
static DEFINE_MUTEX(lock);

int demo_register(struct notifier_block *nb)
{
	mutex_lock(&lock);
	raw_notifier_chain_register(&locked, nb); // NORACE
	raw_notifier_chain_register(&called, nb); // NORACE
	mutex_unlock(&lock);
	return raw_notifier_chain_register(&chain, nb); // RACE!
}
EXPORT_SYMBOL(demo_register);

void demo_unregister(struct notifier_block *nb)
{
	raw_notifier_chain_unregister(&chain, nb); // RACE!
	mutex_lock(&lock);
	raw_notifier_chain_unregister(&locked, nb); // NORACE
	mutex_unlock(&lock);
}
EXPORT_SYMBOL(demo_unregister);

bool demo_any(void)
{
	raw_notifier_call_chain(&called, 1, NULL); // NORACE
	return chain.head; // RACE!
}
EXPORT_SYMBOL(demo_any);
MODULE_LICENSE("GPL");
