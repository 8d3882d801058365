/* Stub: see lockpair/linux.h. Apart from that, for inputs that declare PHYs of their own. */
#pragma once
#include <lockpair/hosts.h>

struct phy_device { struct mdio_device mdio; int id; struct net_device *attached_dev; };
void phy_detach(struct phy_device *phy);
