/* Mailboxes are read in the interrupt, one after the other; who queues a frame beside it races with it. */
// verdict: potential
#include <whole/can.h>

struct demo {
	struct can_priv can;
	struct can_rx_offload offload;
	int reads, level;
};

static struct sk_buff *demo_mailbox_read(struct can_rx_offload *offload, unsigned int mb, u32 *timestamp, bool drop)
{
	struct demo *demo = container_of(offload, struct demo, offload);
	struct can_frame *frame;
	struct sk_buff *skb = alloc_can_skb(offload->dev, &frame); // RACE!

	demo->reads++; // RACE: the row of can_rx_offload_irq_finish follows a pointer of a union
	*timestamp = demo->reads; // RACE: the time is a local of the core's
	if (skb)
		frame->len = 8; // RACE!
	return skb;
}

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	if (irq & 1)
		can_rx_offload_irq_offload_timestamp(&demo->offload, 1); // RACE!
	else
		can_rx_offload_irq_offload_fifo(&demo->offload); // RACE!
	can_rx_offload_irq_finish(&demo->offload); // RACE!
	return IRQ_HANDLED;
}

static int demo_open(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);
	struct can_frame *frame;
	struct sk_buff *skb = alloc_can_skb(net, &frame); // RACE: the row of can_rx_offload_irq_finish follows a pointer of a union

	if (skb)
		can_rx_offload_queue_tail(&demo->offload, skb); // RACE!
	net->mtu = demo->level; // RACE: the row of can_rx_offload_irq_finish follows a pointer of a union
	demo->offload.mb_last = 3; // RACE!
	return net->stats.rx_dropped + // RACE!
		net->stats.rx_fifo_errors; // RACE!
}

static int demo_stop(struct net_device *net)
{
	struct demo *demo = netdev_priv(net);

	can_rx_offload_del(&demo->offload); // RACE!
	return 0;
}

static const struct net_device_ops demo_ops = { .ndo_open = demo_open, .ndo_stop = demo_stop };

static int demo_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_candev_mqs(sizeof(struct demo), 1, 1, 1);
	struct demo *demo;

	if (!net)
		return -ENOMEM;
	demo = netdev_priv(net);
	demo->offload.mailbox_read = demo_mailbox_read;
	demo->offload.mb_first = 1; // NORACE
	net->netdev_ops = &demo_ops;
	can_rx_offload_add_timestamp(net, &demo->offload); // NORACE
	demo->reads = 0; // NORACE
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	can_rx_offload_add_fifo(net, &demo->offload, 64); // RACE!
	return register_candev(net);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
