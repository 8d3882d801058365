/* Buffers and devices of the network: what is read, what is written, and which buffers others have from then on. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>

struct skb_shared_hwtstamps { u64 hwtstamp; };
struct ethtool_link_ksettings { u32 speed, duplex; };
struct page { unsigned long flags; };

#undef netif_carrier_off
#undef netif_device_detach
int pskb_expand_head(struct sk_buff *skb, int head, int tail, gfp_t flags);
void skb_copy_and_csum_dev(const struct sk_buff *skb, u8 *to);
void skb_add_rx_frag(struct sk_buff *skb, int i, struct page *page, int off, int size, unsigned int truesize);
void skb_clone_tx_timestamp(struct sk_buff *skb);
void skb_tstamp_tx(struct sk_buff *skb, struct skb_shared_hwtstamps *time);
void __skb_tstamp_tx(struct sk_buff *skb, const struct sk_buff *ack, struct skb_shared_hwtstamps *time, void *sk, int type);
void skb_complete_tx_timestamp(struct sk_buff *skb, struct skb_shared_hwtstamps *time);
#undef skb_tx_timestamp
void skb_tx_timestamp(struct sk_buff *skb);
struct sk_buff *skb_clone(struct sk_buff *skb, gfp_t flags);
struct sk_buff *skb_copy(const struct sk_buff *skb, gfp_t flags);
struct sk_buff *__alloc_skb(unsigned int size, gfp_t flags, int what, int node);
u16 eth_type_trans(struct sk_buff *skb, struct net_device *dev);
int eth_validate_addr(struct net_device *dev);
void netif_carrier_off(struct net_device *dev);
void netif_device_detach(struct net_device *dev);
int ethtool_op_get_ts_info(struct net_device *dev, void *info);
void ethtool_convert_legacy_u32_to_link_mode(unsigned long *to, u32 legacy);
bool ethtool_convert_link_mode_to_legacy_u32(u32 *legacy, const unsigned long *from);
int ethtool_virtdev_set_link_ksettings(struct net_device *dev, const struct ethtool_link_ksettings *cmd, u32 *speed,
				       u8 *duplex);
void dev_fetch_sw_netstats(struct rtnl_link_stats64 *stats, const void *percpu);
void dev_get_tstats64(struct net_device *dev, struct rtnl_link_stats64 *stats);
int phy_attach_direct(struct net_device *dev, struct phy_device *phy, u32 flags, int interface);
/* Elsewhere: any. */
struct sk_buff *demo_skb(void);
struct net_device *demo_dev(void);
struct page *demo_page(void);

static struct skb_shared_hwtstamps same, changed[3];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sk_buff *skb = demo_skb(), *own;
	u8 bytes[64];

	switch (cmd) {
	case 0:
		pskb_expand_head(skb, 1, 1, GFP_KERNEL); // RACE!
		skb_copy_and_csum_dev(skb, bytes); // RACE!
		skb_add_rx_frag(skb, 1, NULL, 1, 1, 1); // RACE!
		break;
	case 1:
		skb_clone_tx_timestamp(skb); // RACE!
		skb_tstamp_tx(skb, &same); // RACE!
		__skb_tstamp_tx(skb, NULL, &same, NULL, 1); // RACE!
		skb_tx_timestamp(skb); // RACE!
		break;
	case 2:
		own = skb_clone(skb, GFP_KERNEL); // RACE!
		if (!own)
			return -ENOMEM;
		own->len = 1; // NORACE
		own->data[0] = 1; // RACE!
		skb_tstamp_tx(own, &same); // NORACE
		skb_tstamp_tx(own, &changed[0]); // RACE!
		__skb_tstamp_tx(own, NULL, &same, NULL, 1); // NORACE
		__skb_tstamp_tx(own, NULL, &changed[1], NULL, 1); // RACE!
		skb_complete_tx_timestamp(own, &same); // NORACE
		own->end = 1; // RACE!
		break;
	case 3:
		own = skb_copy(skb, GFP_KERNEL); // RACE!
		if (!own)
			return -ENOMEM;
		own->len = 1; // NORACE
		own->data[0] = 1; // NORACE
		skb_complete_tx_timestamp(own, &changed[2]); // RACE!
		break;
	}
	return 0;
}

static int demo_flush(struct file *file, void *id)
{
	struct sk_buff *skb = demo_skb();

	changed[0].hwtstamp = 1; // RACE!
	changed[1].hwtstamp = 1; // RACE!
	changed[2].hwtstamp = 1; // RACE!
	skb->end = 1; // RACE!
	skb->len = 1; // RACE!
	return 0;
}

/* The header is a part of the data, to which the one who has the buffer points. */
static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct net_device *dev = demo_dev();
	struct sk_buff *own = __alloc_skb(64, GFP_KERNEL, 0, 0);

	if (!own)
		return -ENOMEM;
	return eth_type_trans(own, dev); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct net_device *dev = demo_dev();
	u8 *address = (u8 *)dev->dev_addr;

	address[0] = 1; // RACE!
	return eth_validate_addr(dev); // RACE!
}

static u64 info;
static unsigned long modes[3][2];
static u32 legacy, speed;
static u8 duplex;
static struct ethtool_link_ksettings settings;
static struct rtnl_link_stats64 fetched, gotten;

static ssize_t demo_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	struct net_device *dev = demo_dev();
	struct rtnl_link_stats64 own;
	u32 own_legacy, own_speed;
	u8 own_duplex;

	ethtool_op_get_ts_info(dev, &info); // RACE!
	ethtool_convert_legacy_u32_to_link_mode(modes[0], 1); // RACE!
	ethtool_convert_link_mode_to_legacy_u32(&own_legacy, modes[1]); // NORACE
	ethtool_convert_link_mode_to_legacy_u32(&own_legacy, modes[2]); // RACE!
	ethtool_convert_link_mode_to_legacy_u32(&legacy, modes[1]); // RACE!
	ethtool_virtdev_set_link_ksettings(dev, &settings, &own_speed, &own_duplex); // RACE!
	ethtool_virtdev_set_link_ksettings(dev, NULL, &speed, &own_duplex); // RACE!
	ethtool_virtdev_set_link_ksettings(dev, NULL, &own_speed, &duplex); // RACE!
	dev_fetch_sw_netstats(&own, NULL); // NORACE
	dev_fetch_sw_netstats(&fetched, NULL); // RACE!
	dev_get_tstats64(dev, &own); // RACE!
	dev_get_tstats64(NULL, &gotten); // RACE!
	return 0;
}

static ssize_t demo_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct net_device *dev = demo_dev();

	modes[2][0] = 1; // RACE!
	settings.speed = 1; // RACE!
	dev->stats.rx_packets++; // RACE!
	return dev->name[0]; // RACE: data of a buffer may be what any pointer to characters leads to
}

/* The state's bits are changed atomically, so only a plain access is a race. */
static __poll_t demo_poll(struct file *file, poll_table *wait)
{
	struct net_device *dev = demo_dev();

	netif_carrier_off(dev); // RACE!
	netif_device_detach(dev); // RACE!
	phy_attach_direct(dev, NULL, 1, 1); // RACE!
	return 0;
}

static int demo_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct net_device *dev = demo_dev();

	if (dev->phydev) // RACE!
		return 0;
	return dev->state; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.flush = demo_flush,
	.read = demo_read,
	.write = demo_write,
	.read_iter = demo_read_iter,
	.write_iter = demo_write_iter,
};

static const struct file_operations state_fops = { .owner = THIS_MODULE, .poll = demo_poll, .mmap = demo_mmap };

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
static struct miscdevice state_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "state", .fops = &state_fops };

static int __init demo_init(void)
{
	int err = misc_register(&demo_misc);

	return err ?: misc_register(&state_misc);
}
module_init(demo_init);
