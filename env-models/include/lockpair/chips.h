/* Stub: structs whose functions are those of other modules. */
#ifndef LOCKPAIR_CHIPS_H
#define LOCKPAIR_CHIPS_H
#include <linux/device.h>
#include <linux/skbuff.h>

struct tpm_chip;

struct tpm_class_ops {
	int (*recv)(struct tpm_chip *chip, u8 *buf, size_t len);
	int (*send)(struct tpm_chip *chip, u8 *buf, size_t len);
	u8 (*status)(struct tpm_chip *chip);
};

struct tpm_chip {
	struct device dev;
	const struct tpm_class_ops *ops;
	unsigned int flags;
	unsigned int opened;
};

struct nfc_phy_ops {
	int (*write)(void *phy, struct sk_buff *skb);
};

struct agp_bridge_data;

struct agp_bridge_driver {
	unsigned long (*mask_memory)(struct agp_bridge_data *bridge, unsigned long addr, int type);
};

struct agp_bridge_data {
	const struct agp_bridge_driver *driver;
	int mode;
};

struct tracepoint_func {
	void *func;
	void *data;
};

#endif
