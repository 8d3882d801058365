/* What a link says of itself, and how it is changed, is under RTNL; it is set up before others know it. */
// verdict: race-free
#include <linux/module.h>
#include <linux/netdevice.h>

struct rtnl_link_ops {
	void (*setup)(struct net_device *dev);
	int (*fill_info)(struct sk_buff *skb, const struct net_device *dev);
	void (*dellink)(struct net_device *dev, struct list_head *head);
	size_t (*get_size)(const struct net_device *dev);
};
int rtnl_link_register(struct rtnl_link_ops *ops);

static int shared;

static void demo_setup(struct net_device *dev)
{
	dev->mtu = 16; // NORACE
}

static int demo_fill_info(struct sk_buff *skb, const struct net_device *dev)
{
	return shared; // NORACE
}

static int demo_open(struct net_device *dev)
{
	shared++; // NORACE
	dev->mtu = 20; // NORACE
	return 0;
}

static void demo_dellink(struct net_device *dev, struct list_head *head)
{
	shared = 0; // NORACE
}

const struct net_device_ops demo_netdev_ops = { .ndo_open = demo_open };

struct rtnl_link_ops demo_ops = { .setup = demo_setup, .fill_info = demo_fill_info, .dellink = demo_dellink };

static int __init demo_init(void)
{
	return rtnl_link_register(&demo_ops);
}

module_init(demo_init);
MODULE_LICENSE("GPL");
