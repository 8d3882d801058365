/* What was negotiated is read into the PHY's members. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct phy_device {
	int speed, duplex, pause, asym_pause;
	unsigned long supported[2], advertising[2], lp_advertising[2], adv_old[2];
};
int genphy_read_status(struct phy_device *phydev);
int genphy_config_aneg(struct phy_device *phydev);
int genphy_read_lpa(struct phy_device *phydev);
int genphy_read_abilities(struct phy_device *phydev);
int phy_speed_up(struct phy_device *phydev);
void phy_support_sym_pause(struct phy_device *phydev);
void phy_support_asym_pause(struct phy_device *phydev);
void phy_set_sym_pause(struct phy_device *phydev, bool rx, bool tx, bool negotiate);

static struct phy_device phy;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	switch (len) {
	case 1:
		return genphy_config_aneg(&phy); // RACE!
	case 2:
		return genphy_read_lpa(&phy); // RACE!
	case 3:
		return genphy_read_abilities(&phy); // RACE!
	case 4:
		return phy_speed_up(&phy); // RACE!
	case 5:
		phy_support_sym_pause(&phy); // RACE!
		break;
	case 6:
		phy_support_asym_pause(&phy); // RACE!
		break;
	case 7:
		phy_set_sym_pause(&phy, true, true, true); // RACE!
		break;
	}
	return genphy_read_status(&phy); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return phy.speed + phy.advertising[0]; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
