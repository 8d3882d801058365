/* PHYs and MDIO buses: others have the network device from the connection on, also after the disconnection, which waits
 * for the state machine only if it is started. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>

struct phy_device {
	int link, speed;
	struct mutex lock;
};
struct mii_bus {
	const char *name;
	void *priv;
	int (*read)(struct mii_bus *bus, int addr, int reg);
	int (*write)(struct mii_bus *bus, int addr, int reg, u16 value);
	int (*reset)(struct mii_bus *bus);
	struct mutex mdio_lock;
};
struct mii_bus *mdiobus_alloc_size(size_t size);
int __mdiobus_register(struct mii_bus *bus, struct module *owner);
void mdiobus_unregister(struct mii_bus *bus);
struct phy_device *mdiobus_get_phy(struct mii_bus *bus, int addr);
int phy_connect_direct(struct net_device *dev, struct phy_device *phydev, void (*handler)(struct net_device *),
		       int interface);
struct phy_device *phy_connect(struct net_device *dev, const char *bus_id, void (*handler)(struct net_device *),
			       int interface);
void phy_disconnect(struct phy_device *phydev);
void phy_start(struct phy_device *phydev);
void phy_stop(struct phy_device *phydev);

struct demo {
	int direct, by_name;
};

static void direct_change(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->direct++; // RACE!
}

static void named_change(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->by_name++; // RACE!
}

/* The accessors hold the bus's mutex, reset does not. */
struct registers {
	int early, late, by_access, by_reset;
};

static int bus_read(struct mii_bus *bus, int addr, int reg)
{
	struct registers *registers = bus->priv;

	registers->by_access = reg; // NORACE
	registers->by_reset = reg; // RACE!
	return registers->early + registers->late; // RACE!
}

static int bus_write(struct mii_bus *bus, int addr, int reg, u16 value)
{
	struct registers *registers = bus->priv;

	registers->by_access = reg; // NORACE
	return 0;
}

static int bus_reset(struct mii_bus *bus)
{
	struct registers *registers = bus->priv;

	registers->by_reset = 0; // RACE!
	return 0;
}

static int __init demo_init(void)
{
	struct mii_bus *bus = mdiobus_alloc_size(sizeof(struct registers));
	struct net_device *dev = alloc_etherdev(sizeof(struct demo)), *other = alloc_etherdev(sizeof(struct demo));
	struct demo *demo, *second;
	struct registers *registers;
	struct phy_device *phydev;

	if (!dev || !other || !bus)
		return -ENOMEM;
	registers = (void *)(bus + 1);
	bus->priv = registers;
	bus->read = bus_read;
	bus->write = bus_write;
	bus->reset = bus_reset;
	registers->early = 1; // NORACE
	if (__mdiobus_register(bus, THIS_MODULE))
		return -EBUSY;
	registers->late = 1; // RACE!

	phydev = mdiobus_get_phy(bus, 0);
	demo = netdev_priv(dev);
	demo->direct = 1; // NORACE
	if (phy_connect_direct(dev, phydev, direct_change, 0))
		return -ENODEV;
	demo->direct = 2; // RACE!
	phy_start(phydev);
	phy_stop(phydev);
	demo->direct = 3; // RACE!
	phy_disconnect(phydev);
	demo->direct = 4; // RACE!

	second = netdev_priv(other);
	second->by_name = 1; // NORACE
	phydev = phy_connect(other, "demo", named_change, 0);
	second->by_name = 2; // RACE!
	phy_disconnect(phydev);
	second->by_name = 3; // RACE!
	mdiobus_unregister(bus);
	return 0;
}
module_init(demo_init);
