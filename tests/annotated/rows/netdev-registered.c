/* That a network device is registered stands in its reg_state, which registering and unregistering write under RTNL. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>

int register_netdevice(struct net_device *dev);
void unregister_netdevice_queue(struct net_device *dev, struct list_head *head);
int devm_register_netdev(struct device *dev, struct net_device *net);

static struct net_device *a, *b, *c;
static struct device *parent;

void demo_register(int what)
{
	switch (what) {
	case 1: register_netdev(a); break; // RACE!
	case 2: unregister_netdev(a); break; // RACE!
	case 3: devm_register_netdev(parent, a); break; // RACE!
	}
}
EXPORT_SYMBOL(demo_register);

void demo_register_locked(bool on)
{
	rtnl_lock();
	if (on)
		register_netdevice(b); // RACE!
	else
		unregister_netdevice_queue(b, NULL); // RACE!
	rtnl_unlock();
}
EXPORT_SYMBOL(demo_register_locked);

int demo_registered(void)
{
	return a->reg_state + b->reg_state; // RACE!
}
EXPORT_SYMBOL(demo_registered);

int demo_registered_locked(void)
{
	int n;

	rtnl_lock();
	n = a->reg_state + b->reg_state; // NORACE
	rtnl_unlock();
	return n + READ_ONCE(c->reg_state); // NORACE
}
EXPORT_SYMBOL(demo_registered_locked);
