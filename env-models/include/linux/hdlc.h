/* Stub: see lockpair/linux.h. */
#pragma once
#include <linux/netdevice.h>

typedef struct hdlc_device {
	int (*attach)(struct net_device *dev, unsigned short encoding, unsigned short parity);
	netdev_tx_t (*xmit)(struct sk_buff *skb, struct net_device *dev);
	const void *proto;
	int carrier, open;
	spinlock_t state_lock;
	void *state;
	void *priv;
} hdlc_device;
struct net_device *alloc_hdlcdev(void *priv);
static inline struct hdlc_device *dev_to_hdlc(struct net_device *dev) { return netdev_priv(dev); }
