// verdict: potential
/* The last packet of a queue leads to the queue's head, so what is stored behind that is stored in the head, here a variable. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/skbuff.h>

struct demo {
	int count;
};

static struct sk_buff_head done;

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);
	struct sk_buff *head = (struct sk_buff *)&done;
	struct sk_buff *last = READ_ONCE(done.prev);

	if (last == head)
		demo->count++; // RACE!
	WRITE_ONCE(skb->next, head);
	WRITE_ONCE(last->next, skb); // RACE!
	return NETDEV_TX_OK;
}

static void demo_set_rx_mode(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	if (done.next) // RACE!
		demo->count = 0; // RACE!
}

static const struct net_device_ops demo_ops = {
	.ndo_start_xmit = demo_xmit,
	.ndo_set_rx_mode = demo_set_rx_mode,
};

static struct net_device *demo_device;

static int __init demo_init(void)
{
	struct demo *demo;

	demo_device = alloc_etherdev(sizeof(*demo));
	if (!demo_device)
		return -ENOMEM;
	demo = netdev_priv(demo_device);
	done.next = done.prev = (struct sk_buff *)&done;
	demo_device->netdev_ops = &demo_ops;
	return register_netdev(demo_device);
}
module_init(demo_init);
