/* MII helpers call the driver's accessors in the thread that calls them, and change the device's state. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>

struct mii_if_info {
	int phy_id, advertising;
	unsigned int full_duplex;
	struct net_device *dev;
	int (*mdio_read)(struct net_device *dev, int phy, int reg);
	void (*mdio_write)(struct net_device *dev, int phy, int reg, int value);
};
struct ethtool_link_ksettings {
	u32 speed;
};
struct mii_ioctl_data {
	u16 phy_id, reg_num, val_in, val_out;
};
int mii_link_ok(struct mii_if_info *mii);
int mii_nway_restart(struct mii_if_info *mii);
unsigned int mii_check_media(struct mii_if_info *mii, unsigned int ok_to_print, unsigned int init_media);
void mii_ethtool_get_link_ksettings(struct mii_if_info *mii, struct ethtool_link_ksettings *settings);
int mii_ethtool_set_link_ksettings(struct mii_if_info *mii, const struct ethtool_link_ksettings *settings);
int generic_mii_ioctl(struct mii_if_info *mii, struct mii_ioctl_data *data, int cmd, unsigned int *changed);

static struct mii_if_info mii;
static struct ethtool_link_ksettings settings[2];
static struct mii_ioctl_data request;
static unsigned int changed;
static int reads, writes;

static int demo_read(struct net_device *dev, int phy, int reg)
{
	return reads++; // RACE!
}

static void demo_write(struct net_device *dev, int phy, int reg, int value)
{
	writes++; // RACE!
}

static long demo_reads(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		mii_link_ok(&mii); // NORACE
		break;
	case 1:
		mii_nway_restart(&mii); // NORACE
		break;
	}
	return 0;
}

static long demo_changes(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ethtool_link_ksettings mine;

	switch (cmd) {
	case 0:
		mii_check_media(&mii, 1, 1); // RACE!
		break;
	case 1:
		mii_ethtool_get_link_ksettings(&mii, &mine); // RACE!
		break;
	case 2:
		mii_ethtool_set_link_ksettings(&mii, &mine); // RACE!
		break;
	}
	return 0;
}

static int demo_arguments(struct file *file, void *id)
{
	struct mii_if_info own = { .mdio_read = demo_read, .mdio_write = demo_write };
	unsigned int n;

	switch ((unsigned long)id) {
	case 0:
		mii_ethtool_get_link_ksettings(&own, &settings[0]); // RACE!
		break;
	case 1:
		mii_ethtool_set_link_ksettings(&own, &settings[1]); // RACE!
		break;
	case 2:
		generic_mii_ioctl(&own, &request, 1, &n); // RACE!
		break;
	}
	return 0;
}

static int demo_fsync(struct file *file, loff_t start, loff_t end, int cmd)
{
	struct mii_if_info own = { .mdio_read = demo_read, .mdio_write = demo_write };
	struct mii_ioctl_data mine;

	settings[1].speed = 1; // RACE!
	generic_mii_ioctl(&own, &mine, 1, &changed); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_reads,
	.compat_ioctl = demo_changes,
	.flush = demo_arguments,
	.fsync = demo_fsync,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	mii.mdio_read = demo_read;
	mii.mdio_write = demo_write;
	return misc_register(&demo_misc);
}
module_init(demo_init);
