/* phylib and mii: what is read and what is filled, and accessors that are called in the caller's thread. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>

struct phy_device { int id; struct mutex lock; };
struct ethtool_cmd { u32 speed, duplex; };
struct ethtool_stats { u32 cmd, n_stats; };
struct mii_if_info {
	int phy_id, advertising, phy_id_mask, reg_num_mask;
	unsigned int full_duplex;
	struct net_device *dev;
	int (*mdio_read)(struct net_device *dev, int phy, int reg);
	void (*mdio_write)(struct net_device *dev, int phy, int reg, int value);
};
int phy_ethtool_get_wol(struct phy_device *phy, void *wol);
int phy_ethtool_set_wol(struct phy_device *phy, void *wol);
void phy_get_pause(struct phy_device *phy, bool *tx, bool *rx);
int phy_do_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd);
int phy_ethtool_get_strings(struct phy_device *phy, u8 *data);
int phy_ethtool_get_stats(struct phy_device *phy, struct ethtool_stats *stats, u64 *data);
void mii_check_link(struct mii_if_info *mii);
void mii_ethtool_gset(struct mii_if_info *mii, struct ethtool_cmd *cmd);
int mii_ethtool_sset(struct mii_if_info *mii, struct ethtool_cmd *cmd);
/* Elsewhere: any. */
struct phy_device *demo_phy(void);

static u64 filled[6], counters[2];
static bool tx, rx;
static struct ethtool_stats request, changed_request;
static u32 same[2], changed[2];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct phy_device *phy = demo_phy();
	bool own;

	phy_ethtool_get_wol(phy, &filled[0]); // RACE!
	phy_ethtool_set_wol(phy, same); // RACE: who uses an object counts as reading its first byte
	phy_ethtool_set_wol(phy, changed); // RACE!
	phy_get_pause(phy, &tx, &own); // RACE!
	phy_get_pause(phy, &own, &rx); // RACE!
	phy_do_ioctl(NULL, (struct ifreq *)&filled[1], 1); // RACE!
	phy_ethtool_get_strings(phy, (u8 *)&filled[2]); // RACE!
	phy_ethtool_get_stats(phy, &request, counters); // RACE!
	phy_ethtool_get_stats(phy, &changed_request, NULL); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	changed[0] = 1; // RACE!
	changed_request.cmd = 1; // RACE!
	return request.cmd; // NORACE
}

static int reads, writes;
static struct ethtool_cmd gotten, obeyed;

static int demo_mdio_read(struct net_device *dev, int phy, int reg)
{
	return reads++; // RACE!
}

static void demo_mdio_write(struct net_device *dev, int phy, int reg, int value)
{
	writes++; // RACE!
}

static struct mii_if_info mii = { .mdio_read = demo_mdio_read, .mdio_write = demo_mdio_write };

static int demo_flush(struct file *file, void *id)
{
	struct mii_if_info own = { .mdio_read = demo_mdio_read, .mdio_write = demo_mdio_write };
	struct ethtool_cmd command = {};

	mii_check_link(&mii); // NORACE
	mii_ethtool_gset(&mii, &command); // RACE!
	mii_ethtool_sset(&mii, &command); // RACE!
	mii_ethtool_gset(&own, &gotten); // RACE!
	mii_ethtool_sset(&own, &obeyed); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	obeyed.speed = 1; // RACE!
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
	.read = demo_read,
	.flush = demo_flush,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
