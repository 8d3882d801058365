/* What phylib keeps in a PHY's public members: under phydev->lock, or without a lock where the caller is to have RTNL.
   Who reads these elsewhere is in a race. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>

struct phy_device {
	unsigned suspended:1, loopback_enabled:1;
	unsigned char padding; /* so that the two groups of bits are apart */
	unsigned autoneg:1, link:1, interrupts:1;
	int state, interface, speed, duplex, pause, asym_pause, irq;
	u8 master_slave_get, master_slave_set, master_slave_state, mdix_ctrl;
	unsigned long supported[2], advertising[2], lp_advertising[2], adv_old[2];
	struct mutex lock;
	struct net_device *attached_dev;
};
struct ethtool_link_ksettings { int speed; };
int phy_start_aneg(struct phy_device *phydev);
int phy_ethtool_ksettings_set(struct phy_device *phydev, const struct ethtool_link_ksettings *cmd);
int phy_ethtool_set_link_ksettings(struct net_device *dev, const struct ethtool_link_ksettings *cmd);
void phy_ethtool_ksettings_get(struct phy_device *phydev, struct ethtool_link_ksettings *cmd);
int phy_ethtool_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *cmd);
int phy_suspend(struct phy_device *phydev);
int phy_resume(struct phy_device *phydev);
int __phy_resume(struct phy_device *phydev);
int phy_loopback(struct phy_device *phydev, bool on);
int phy_init_hw(struct phy_device *phydev);
int genphy_soft_reset(struct phy_device *phydev);
int genphy_loopback(struct phy_device *phydev, bool on);
int genphy_read_status(struct phy_device *phydev);
void phy_start(struct phy_device *phydev);
void phy_stop(struct phy_device *phydev);
void phy_stop_machine(struct phy_device *phydev);
void phy_error(struct phy_device *phydev);
void phy_set_max_speed(struct phy_device *phydev, u32 speed);
void phy_remove_link_mode(struct phy_device *phydev, u32 mode);
void phy_advertise_supported(struct phy_device *phydev);
void phy_set_asym_pause(struct phy_device *phydev, bool rx, bool tx);
int phy_speed_down(struct phy_device *phydev, bool sync);
int phy_config_aneg(struct phy_device *phydev);
int phy_init_eee(struct phy_device *phydev, bool stop);
void phy_resolve_aneg_linkmode(struct phy_device *phydev);
void phy_resolve_aneg_pause(struct phy_device *phydev);
void phy_check_downshift(struct phy_device *phydev);
void phy_request_interrupt(struct phy_device *phydev);
void phy_free_interrupt(struct phy_device *phydev);
int phy_mii_ioctl(struct phy_device *phydev, struct ifreq *ifr, int cmd);
int phy_do_ioctl(struct net_device *dev, struct ifreq *ifr, int cmd);
int phy_do_ioctl_running(struct net_device *dev, struct ifreq *ifr, int cmd);
void phy_get_pause(struct phy_device *phydev, bool *tx, bool *rx);
void phy_print_status(struct phy_device *phydev);
void phy_disconnect(struct phy_device *phydev);
void phy_detach(struct phy_device *phydev);
void phy_device_free(struct phy_device *phydev);

/* One PHY for each group. */
static struct phy_device aneg, set, asked, sleeps, fast, listed, eee, resolved, line, ioctl, gone, status, changed, kept, advertised;
static struct phy_device *freed;
static struct net_device dev1 = { .phydev = &set }, dev2 = { .phydev = &asked }, dev3 = { .phydev = &ioctl };
static struct ethtool_link_ksettings settings;

void demo_act(int what, struct ifreq *ifr)
{
	struct ethtool_link_ksettings mine;
	bool tx, rx;

	switch (what) {
	case 1: phy_start_aneg(&aneg); break; // RACE!
	case 2: phy_ethtool_ksettings_set(&set, &settings); break; // RACE!
	case 3: phy_ethtool_set_link_ksettings(&dev1, &settings); break; // RACE!
	case 4: phy_ethtool_ksettings_get(&asked, &mine); break; // RACE!
	case 5: phy_ethtool_get_link_ksettings(&dev2, &mine); break; // RACE!
	case 6: phy_suspend(&sleeps); break; // RACE!
	case 7: phy_resume(&sleeps); break; // RACE!
	case 8: __phy_resume(&sleeps); break; // RACE!
	case 9: phy_loopback(&sleeps, true); break; // RACE!
	case 10: phy_init_hw(&sleeps); break; // RACE!
	case 11: genphy_soft_reset(&sleeps); break; // RACE!
	case 12: phy_set_max_speed(&fast, 100); break; // RACE!
	case 13: phy_remove_link_mode(&fast, 1); break; // RACE!
	case 14: phy_advertise_supported(&listed); break; // RACE!
	case 15: phy_set_asym_pause(&listed, true, true); break; // RACE!
	case 16: phy_speed_down(&listed, true); break; // RACE!
	case 17: phy_config_aneg(&listed); break; // RACE!
	case 18: phy_init_eee(&eee, true); break; // RACE!
	case 19: phy_resolve_aneg_linkmode(&resolved); break; // RACE!
	case 20: phy_resolve_aneg_pause(&resolved); break; // RACE!
	case 21: phy_request_interrupt(&line); break; // RACE!
	case 22: phy_free_interrupt(&line); break; // RACE!
	case 23: phy_mii_ioctl(&ioctl, ifr, 1); break; // RACE!
	case 24: phy_do_ioctl(&dev3, ifr, 1); break; // RACE!
	case 25: phy_do_ioctl_running(&dev3, ifr, 1); break; // RACE!
	case 26: phy_disconnect(&gone); break; // RACE!
	case 27: phy_detach(&gone); break; // RACE!
	case 28: phy_device_free(freed); break; // RACE!
	case 29: phy_start(&status); break; // RACE!
	case 30: phy_stop(&status); break; // RACE!
	case 31: phy_stop_machine(&status); break; // RACE!
	case 32: phy_error(&status); break; // RACE!
	case 33: genphy_loopback(&listed, false); break; // RACE!
	case 34: phy_check_downshift(&resolved); break; // RACE!
	case 38: phy_get_pause(&advertised, &tx, &rx); break; // RACE!
	case 39: phy_print_status(&advertised); break; // RACE!
	case 36: phy_ethtool_ksettings_set(&changed, &settings); break; // NORACE
	case 37: phy_ethtool_ksettings_get(&kept, &mine); break; // NORACE
	case 35: genphy_read_status(&eee); break; // RACE!
	}
}
EXPORT_SYMBOL(demo_act);

int demo_read(void)
{
	int n = aneg.speed + aneg.link; // RACE!

	n += set.duplex + set.advertising[0]; // RACE!
	n += sleeps.suspended + sleeps.loopback_enabled; // RACE!
	n += fast.supported[0] + fast.advertising[0]; // RACE!
	n += listed.advertising[1]; // RACE!
	n += eee.speed + eee.link; // RACE!
	n += resolved.pause + resolved.link; // RACE!
	n += line.irq + line.interrupts; // RACE!
	n += ioctl.autoneg + ioctl.speed; // RACE!
	n += !gone.attached_dev; // RACE!
	n += freed->irq; // RACE!
	return n + status.state; // RACE!
}
EXPORT_SYMBOL(demo_read);

int demo_write(void)
{
	asked.speed = 10; // RACE!
	asked.advertising[0] = 1; // RACE!
	advertised.advertising[0] = 1; // RACE!
	return 0;
}
EXPORT_SYMBOL(demo_write);

/* With its lock, what phylib does under it is none. */
int demo_locked(void)
{
	int n;

	mutex_lock(&aneg.lock);
	n = aneg.speed + aneg.advertising[0] + aneg.link; // NORACE
	mutex_unlock(&aneg.lock);
	mutex_lock(&changed.lock);
	n += changed.speed + changed.autoneg; // NORACE
	mutex_unlock(&changed.lock);
	mutex_lock(&kept.lock);
	kept.speed = 100; // NORACE
	mutex_unlock(&kept.lock);
	mutex_lock(&status.lock);
	n += status.state + status.link; // NORACE
	mutex_unlock(&status.lock);
	return n;
}
EXPORT_SYMBOL(demo_locked);
