/* Functions of the network stack: what they read and fill, and what they change in a buffer. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>

struct dql {
	unsigned int num_queued, adj_limit, last_obj_cnt, limit, num_completed, prev_ovlimit, prev_num_queued;
	unsigned int prev_last_obj_cnt, lowest_slack;
	unsigned long slack_start_time;
};
void dql_completed(struct dql *dql, unsigned int count);
void dql_reset(struct dql *dql);
unsigned int csum_partial(const void *buf, int len, unsigned int sum);
unsigned int csum_partial_copy_nocheck(const void *src, void *dst, int len);
u16 ip_fast_csum(const void *header, unsigned int words);
u16 csum_ipv6_magic(const void *from, const void *to, u32 len, u8 proto, unsigned int sum);
void netdev_rss_key_fill(void *buf, size_t len);
void dev_addr_mod(struct net_device *dev, unsigned int offset, const void *addr, size_t len);
int eth_platform_get_mac_address(struct device *dev, u8 *addr);
void netdev_stats_to_stats64(struct rtnl_link_stats64 *stats64, const struct net_device_stats *stats);
struct rtnl_link_stats64 *dev_get_stats(struct net_device *dev, struct rtnl_link_stats64 *storage);
void *skb_put_data(struct sk_buff *skb, const void *data, unsigned int len);
void *skb_push(struct sk_buff *skb, unsigned int len);
void *skb_pull(struct sk_buff *skb, unsigned int len);
void skb_trim(struct sk_buff *skb, unsigned int len);
int skb_checksum_help(struct sk_buff *skb);
int skb_copy_bits(const struct sk_buff *skb, int offset, void *to, int len);
int skb_store_bits(struct sk_buff *skb, int offset, const void *from, int len);

static u8 same[64], changed[64], far[64];
static u8 out0[64], out1[64], out2[64], out3[64];
static struct dql queue, other_queue;
static struct net_device_stats stats;
static struct rtnl_link_stats64 stats64[2];

static long demo_bytes(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct rtnl_link_stats64 mine;
	u8 own[64];

	switch (cmd) {
	case 0:
		csum_partial(same, 4, 0); // NORACE
		csum_partial(changed, 4, 0); // RACE!
		csum_partial_copy_nocheck(same, own, 4); // NORACE
		csum_partial_copy_nocheck(changed, own, 4); // RACE!
		csum_partial_copy_nocheck(same, out0, 4); // RACE!
		csum_ipv6_magic(same, same, 4, 1, 0); // NORACE
		csum_ipv6_magic(changed, same, 4, 1, 0); // RACE!
		csum_ipv6_magic(same, changed, 4, 1, 0); // RACE!
		break;
	case 1: /* counted in words */
		ip_fast_csum(same, 5); // NORACE
		ip_fast_csum(changed, 5); // RACE!
		ip_fast_csum(far, 5); // NORACE
		ip_fast_csum(far, 6); // RACE!
		break;
	case 2:
		netdev_rss_key_fill(out1, 4); // RACE!
		eth_platform_get_mac_address(NULL, out2); // RACE!
		dql_completed(&queue, 1); // RACE!
		dql_reset(&other_queue); // RACE!
		break;
	case 3:
		netdev_stats_to_stats64(&mine, &stats); // RACE!
		netdev_stats_to_stats64(&stats64[0], &stats); // RACE!
		dev_get_stats(NULL, &mine); // NORACE
		dev_get_stats(NULL, &stats64[1]); // RACE!
		break;
	}
	return 0;
}

static long demo_buffers(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sk_buff *skb = __netdev_alloc_skb(NULL, 64, GFP_KERNEL);
	struct sk_buff *shared = file->private_data;
	u8 own[64];

	if (!skb)
		return -ENOMEM;
	switch (cmd) {
	case 0:
		skb_put_data(skb, same, 4); // NORACE
		skb_put_data(skb, changed, 4); // RACE!
		skb_put_data(shared, same, 4); // RACE!
		break;
	case 1:
		skb_trim(skb, 4); // NORACE
		skb_trim(shared, 4); // RACE!
		skb_checksum_help(skb); // NORACE
		skb_checksum_help(shared); // RACE!
		break;
	case 2:
		skb_copy_bits(skb, 0, own, 4); // NORACE
		skb_copy_bits(shared, 0, own, 4); // RACE!
		skb_copy_bits(skb, 0, out3, 4); // RACE!
		skb_store_bits(skb, 0, same, 4); // NORACE
		skb_store_bits(skb, 0, changed, 4); // RACE!
		skb_store_bits(shared, 0, same, 4); // RACE!
		break;
	}
	kfree_skb(skb); // NORACE
	return 0;
}

static int demo_ends(struct file *file, void *id)
{
	struct sk_buff *skb = __netdev_alloc_skb(NULL, 64, GFP_KERNEL);
	struct sk_buff *shared = file->private_data;

	if (!skb)
		return -ENOMEM;
	switch ((unsigned long)id) {
	case 0:
		skb_push(skb, 4); // NORACE
		skb_push(shared, 4); // RACE!
		break;
	case 1:
		skb_pull(skb, 4); // NORACE
		skb_pull(shared, 4); // RACE!
		break;
	case 2:
		skb_put(skb, 4); // NORACE
		skb_put(shared, 4); // RACE!
		break;
	}
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	changed[0] = 1; // RACE!
	far[20] = 1; // RACE!
	stats.rx_packets++; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_bytes,
	.compat_ioctl = demo_buffers,
	.flush = demo_ends,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
