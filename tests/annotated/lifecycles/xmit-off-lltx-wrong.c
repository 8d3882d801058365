// verdict: potential
/* Who transmits holds no lock with NETIF_F_LLTX, so netif_tx_disable does not wait for it. */
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/skbuff.h>

void netif_tx_disable(struct net_device *dev);
void netif_wake_queue(struct net_device *dev);

struct s {
	int x;
};

static int mtu(struct net_device *n, int m)
{
	struct s *s = netdev_priv(n);
	netif_tx_disable(n);
	s->x = 0; // RACE!
	netif_wake_queue(n);
	return 0;
}
static netdev_tx_t tx(struct sk_buff *skb, struct net_device *n)
{
	struct s *s = netdev_priv(n);
	if (s->x) // RACE!
		n = NULL;
	dev_kfree_skb(skb);
	return NETDEV_TX_OK;
}
static const struct net_device_ops o = { .ndo_start_xmit = tx, .ndo_change_mtu = mtu };
static struct net_device *nd;
static int __init i(void)
{
	nd = alloc_etherdev(sizeof(struct s));
	if (!nd)
		return -ENOMEM;
	nd->features |= 0x1000; /* NETIF_F_LLTX */
	nd->netdev_ops = &o;
	return register_netdev(nd);
}
static void __exit e(void) { unregister_netdev(nd); free_netdev(nd); }
module_init(i);
module_exit(e);
MODULE_LICENSE("GPL");
