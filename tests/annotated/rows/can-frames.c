/* Frames are made and sent: a buffer that is dropped has ended, a frame may be missing, and what is counted is counted without a lock. */
// verdict: potential
#include <whole/can.h>

struct demo {
	struct can_priv can;
	struct work_struct work;
	struct sk_buff *skb;
	int sent, lost, level;
};

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->sent = demo->skb->len; // RACE: which buffer it is is not known
	demo->can.dev->mtu = 8; // RACE!
}

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	if (can_dropped_invalid_skb(net, skb)) // RACE!
		return NETDEV_TX_OK;
	demo->level = skb->len + net->mtu; // RACE!
	demo->skb = skb; // RACE!
	schedule_work(&demo->work);
	return NETDEV_TX_OK;
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct net_device *net = arg;
	struct demo *demo = netdev_priv(net);
	struct can_frame *frame;
	struct sk_buff *skb = alloc_can_err_skb(net, &frame); // RACE!

	if (!frame)
		demo->lost++; // RACE!
	if (skb) {
		frame->can_id |= 4; // RACE: the same
		skb->len = 8; // NORACE
		netif_rx(skb);
		frame->data[1] = 1; // RACE: frames of two interrupts are not known to be two
	}
	net->stats.tx_dropped++; // RACE!
	return IRQ_HANDLED;
}

static int demo_open(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	net->ifindex = demo->lost; // RACE!
	net->flags = 0; // RACE!
	return net->stats.tx_dropped; // RACE!
}

static const struct net_device_ops demo_ops = { .ndo_open = demo_open, .ndo_start_xmit = demo_xmit };

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_candev_mqs(sizeof(struct demo), 1, 1, 1);
	struct demo *demo;

	if (!net)
		return -ENOMEM;
	demo = netdev_priv(net);
	INIT_WORK(&demo->work, demo_work);
	net->netdev_ops = &demo_ops;
	if (request_irq(7, demo_irq, 0, "demo", net))
		return -EBUSY;
	return register_candev(net);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
