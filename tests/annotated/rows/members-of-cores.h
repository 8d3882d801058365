struct i2c_client;
struct sk_buff;

struct tpm_tis_data;
struct tpm_tis_phy_ops {
	int (*read_bytes)(struct tpm_tis_data *data, u32 address, u16 n, u8 *result, int mode);
	int (*write_bytes)(struct tpm_tis_data *data, u32 address, u16 n, const u8 *value, int mode);
	int (*verify_crc)(struct tpm_tis_data *data, size_t n, const u8 *value);
};
struct tpm_tis_data {
	const struct tpm_tis_phy_ops *phy_ops;
	int locality;
};

struct pmbus_driver_info {
	int pages;
	int (*read_byte_data)(struct i2c_client *client, int page, int reg);
	int (*read_word_data)(struct i2c_client *client, int page, int phase, int reg);
	int (*write_byte_data)(struct i2c_client *client, int page, int reg, u8 byte);
	int (*write_word_data)(struct i2c_client *client, int page, int reg, u16 word);
	int (*write_byte)(struct i2c_client *client, int page, u8 value);
};

struct adxl34x_bus_ops {
	int (*read)(struct device *dev, unsigned char reg);
	int (*read_block)(struct device *dev, unsigned char reg, int n, void *buffer);
	int (*write)(struct device *dev, unsigned char reg, unsigned char value);
};

struct cma3000_bus_ops {
	int (*read)(struct device *dev, u8 reg, char *message);
	int (*write)(struct device *dev, u8 reg, u8 value, char *message);
};

struct occ {
	struct device *bus_dev;
	int (*send_cmd)(struct occ *occ, u8 *cmd, size_t len, void *resp, size_t resp_len);
};

struct bcm47xx_wdt {
	u32 (*timer_set)(struct bcm47xx_wdt *wdt, u32 ticks);
	u32 (*timer_set_ms)(struct bcm47xx_wdt *wdt, u32 ms);
	u32 max_timer_ms;
	void *driver_data;
};

struct tpm_chip;
struct tpm_class_ops {
	void (*update_timeouts)(struct tpm_chip *chip, unsigned long *timeouts);
	void (*update_durations)(struct tpm_chip *chip, unsigned long *durations);
};
struct tpm_chip {
	struct device dev;
	const struct tpm_class_ops *ops;
	bool timeout_adjusted, duration_adjusted;
	int locality;
};

struct nfcmrvl_private;
struct nfcmrvl_if_ops {
	int (*nci_open)(struct nfcmrvl_private *priv);
	int (*nci_close)(struct nfcmrvl_private *priv);
	int (*nci_send)(struct nfcmrvl_private *priv, struct sk_buff *skb);
	void (*nci_update_config)(struct nfcmrvl_private *priv, const void *param);
};
struct nfcmrvl_private {
	const struct nfcmrvl_if_ops *if_ops;
	void *drv_data;
	int phy;
};
