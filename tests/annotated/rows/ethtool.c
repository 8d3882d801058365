/* Operations of network devices: ethtool's under RTNL and with copies, queues are selected without a lock. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/netdevice.h>

struct counts {
	int up, selected, ports, clock;
};

static int demo_open(struct net_device *dev)
{
	struct counts *counts = netdev_priv(dev);

	counts->up = 1; // NORACE
	counts->selected = 0; // RACE!
	counts->ports = 0; // RACE!
	counts->clock = 0; // RACE!
	return 0;
}

static u16 demo_select_queue(struct net_device *dev, struct sk_buff *skb, struct net_device *sb_dev)
{
	struct counts *counts = netdev_priv(dev);

	return counts->selected++; // RACE!
}

static int demo_get_phys_port_name(struct net_device *dev, char *name, size_t n)
{
	struct counts *counts = netdev_priv(dev);

	return counts->ports++; // RACE!
}

static const struct net_device_ops demo_ops = {
	.ndo_open = demo_open,
	.ndo_select_queue = demo_select_queue,
	.ndo_get_phys_port_name = demo_get_phys_port_name,
};

static int demo_get_eeprom(struct net_device *dev, struct ethtool_eeprom *eeprom, u8 *data)
{
	struct counts *counts = netdev_priv(dev);

	eeprom->magic = counts->up++; // NORACE
	data[0] = 1; // NORACE
	return 0;
}

static int demo_get_coalesce(struct net_device *dev, struct ethtool_coalesce *coalesce, void *kernel, void *ack)
{
	struct counts *counts = netdev_priv(dev);

	coalesce->rx = counts->up++; // NORACE
	return 0;
}

/* A socket option asks without RTNL. */
static int demo_get_ts_info(struct net_device *dev, struct ethtool_ts_info *info)
{
	struct counts *counts = netdev_priv(dev);

	info->phc_index = counts->clock; // RACE!
	return 0;
}

static void demo_get_strings(struct net_device *dev, u32 set, u8 *data)
{
	struct counts *counts = netdev_priv(dev);

	data[0] = counts->up++; // NORACE
}

static const struct ethtool_ops demo_ethtool = {
	.get_eeprom = demo_get_eeprom,
	.get_coalesce = demo_get_coalesce,
	.get_strings = demo_get_strings,
	.get_ts_info = demo_get_ts_info,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_etherdev(sizeof(struct counts));
	struct counts *counts = dev ? netdev_priv(dev) : NULL;

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_ops;
	dev->ethtool_ops = &demo_ethtool;
	counts->up = 1; // NORACE
	return register_netdev(dev);
}
module_init(demo_init);
