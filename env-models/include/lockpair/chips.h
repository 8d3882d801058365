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
	unsigned long timeout_a, timeout_b, timeout_c, timeout_d;
	unsigned long duration[4];
	unsigned int opened;
};

struct nfc_phy_ops {
	int (*write)(void *phy, struct sk_buff *skb);
};

struct pn533;
struct pn533_cmd {
	int status;
	struct sk_buff *resp;
	int (*complete_cb)(struct pn533 *dev, void *context, struct sk_buff *resp);
};
struct pn533_frame_ops {
	void (*tx_frame_init)(void *frame, u8 code);
	int (*rx_frame_size)(void *frame);
};
struct pn533_phy_ops {
	int (*send_frame)(struct pn533 *dev, struct sk_buff *out);
	int (*send_ack)(struct pn533 *dev, gfp_t flags);
	void (*abort_cmd)(struct pn533 *dev, gfp_t flags);
};
struct pn533 {
	u32 device_type, protocol_type;
	struct workqueue_struct *wq;
	struct work_struct cmd_complete_work;
	struct pn533_cmd *cmd;
	struct pn533_frame_ops *ops;
	struct device *dev;
	void *phy;
	const struct pn533_phy_ops *phy_ops;
	void *nfc_dev;
};
struct pn533 *pn53x_common_init(u32 type, int protocol, void *phy, const struct pn533_phy_ops *phy_ops,
				struct pn533_frame_ops *ops, struct device *dev);
void pn53x_common_clean(struct pn533 *dev);
int pn533_finalize_setup(struct pn533 *dev);
int pn53x_register_nfc(struct pn533 *dev, u32 protocols, struct device *parent);
void pn53x_unregister_nfc(struct pn533 *dev);
void pn533_recv_frame(struct pn533 *dev, struct sk_buff *skb, int status);
bool pn533_rx_frame_is_ack(void *frame);

struct nfcmrvl_platform_data { int reset; };
struct nfcmrvl_private;
struct nfcmrvl_if_ops {
	int (*nci_open)(struct nfcmrvl_private *priv);
	int (*nci_send)(struct nfcmrvl_private *priv, struct sk_buff *skb);
};
struct nfcmrvl_private {
	unsigned long flags;
	void *ndev, *drv_data;
	struct device *dev;
	int phy;
	const struct nfcmrvl_if_ops *if_ops;
};
struct nfcmrvl_private *nfcmrvl_nci_register_dev(int phy, void *data, const struct nfcmrvl_if_ops *ops, struct device *dev,
						 const struct nfcmrvl_platform_data *platform);
void nfcmrvl_nci_unregister_dev(struct nfcmrvl_private *priv);
int nfcmrvl_nci_recv_frame(struct nfcmrvl_private *priv, struct sk_buff *skb);

struct agp_bridge_data;

struct agp_bridge_driver {
	int (*fetch_size)(void);
	int (*configure)(void);
	void (*cleanup)(void);
	unsigned long (*mask_memory)(struct agp_bridge_data *bridge, unsigned long addr, int type);
	int (*create_gatt_table)(struct agp_bridge_data *bridge);
	int (*free_gatt_table)(struct agp_bridge_data *bridge);
};

struct agp_bridge_data {
	const void *version;
	void *dev;
	u32 *key_list;
	const struct agp_bridge_driver *driver;
	int mode, max_memory_agp;
	unsigned long gart_bus_addr, scratch_page;
	struct page *scratch_page_page;
	dma_addr_t scratch_page_dma;
	struct list_head list, mapped_list;
};

int agp_add_bridge(struct agp_bridge_data *bridge);
void agp_remove_bridge(struct agp_bridge_data *bridge);

struct tracepoint_func {
	void *func;
	void *data;
};

#endif
