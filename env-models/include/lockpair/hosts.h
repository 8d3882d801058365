/* Stub headers of lockpair: objects with a private part, and drivers of more buses. Written for tests and examples; not Linux. */
#ifndef LOCKPAIR_HOSTS_H
#define LOCKPAIR_HOSTS_H
#include <lockpair/linux.h>

/* --- objects that a core allocates, with the driver's private part behind them ---------------- */

struct iio_dev;
struct iio_chan_spec;
struct iio_info {
	int (*read_raw)(struct iio_dev *indio_dev, struct iio_chan_spec const *chan, int *val, int *val2, long mask);
	int (*write_raw)(struct iio_dev *indio_dev, struct iio_chan_spec const *chan, int val, int val2, long mask);
	int (*read_avail)(struct iio_dev *indio_dev, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask);
	int (*read_event_value)(struct iio_dev *indio_dev, const struct iio_chan_spec *chan, int type, int dir, int info, int *val, int *val2);
};
struct iio_dev {
	int modes;
	struct device dev;
	struct mutex mlock;
	const char *name, *label;
	const struct iio_info *info;
	const void *setup_ops;
	void *priv;
};
struct iio_dev *iio_device_alloc(struct device *parent, int sizeof_priv);
struct iio_dev *devm_iio_device_alloc(struct device *parent, int sizeof_priv);
void iio_device_free(struct iio_dev *indio_dev);
int __iio_device_register(struct iio_dev *indio_dev, struct module *owner);
int __devm_iio_device_register(struct device *dev, struct iio_dev *indio_dev, struct module *owner);
void iio_device_unregister(struct iio_dev *indio_dev);
static inline void *iio_priv(const struct iio_dev *indio_dev) { return indio_dev->priv; }
#define iio_device_register(indio_dev) __iio_device_register(indio_dev, THIS_MODULE)
#define devm_iio_device_register(dev, indio_dev) __devm_iio_device_register(dev, indio_dev, THIS_MODULE)

struct snd_card {
	int number;
	char id[16];
	struct module *module;
	void *private_data;
	void (*private_free)(struct snd_card *card);
	struct device *dev;
	struct device card_dev;
	spinlock_t files_lock;
	int shutdown;
	bool registered, managed, releasing;
};
int snd_card_new(struct device *parent, int idx, const char *xid, struct module *module, int extra_size, struct snd_card **card_ret);
int snd_devm_card_new(struct device *parent, int idx, const char *xid, struct module *module, size_t extra_size, struct snd_card **card_ret);
int snd_card_register(struct snd_card *card);
int snd_card_disconnect(struct snd_card *card);
int snd_card_free(struct snd_card *card);
int snd_card_free_when_closed(struct snd_card *card);

struct Scsi_Host;
struct scsi_host_template { struct module *module; const char *name; int can_queue; };
struct Scsi_Host {
	struct scsi_host_template *hostt;
	spinlock_t default_lock, *host_lock;
	struct device shost_gendev;
	struct device *dma_dev;
	int shost_state;
	short cmd_per_lun;
	unsigned int max_sectors;
	unsigned long hostdata[];
};
struct Scsi_Host *scsi_host_alloc(struct scsi_host_template *sht, int privsize);
int scsi_add_host_with_dma(struct Scsi_Host *shost, struct device *dev, struct device *dma_dev);
void scsi_remove_host(struct Scsi_Host *shost);
void scsi_host_put(struct Scsi_Host *shost);
static inline void *shost_priv(struct Scsi_Host *shost) { return (void *)shost->hostdata; }
static inline int scsi_add_host(struct Scsi_Host *shost, struct device *dev) { return scsi_add_host_with_dma(shost, dev, dev); }

struct fb_info { int node, flags; struct mutex lock; struct device *device, *dev; void *par; struct { u8 *addr; u32 size; } pixmap; };
struct fb_info *framebuffer_alloc(size_t size, struct device *dev);
void framebuffer_release(struct fb_info *info);
int register_framebuffer(struct fb_info *info);
void unregister_framebuffer(struct fb_info *info);

struct mmc_ios { unsigned int clock; unsigned char timing, power_mode; };
struct mmc_slot { int cd_irq; void *handler_priv; };
struct mmc_request;
struct mmc_host;
struct mmc_host_ops {
	void (*request)(struct mmc_host *host, struct mmc_request *req);
	void (*set_ios)(struct mmc_host *host, struct mmc_ios *ios);
};
struct mmc_host {
	void *card;
	struct device *parent;
	struct device class_dev;
	int index;
	const struct mmc_host_ops *ops;
	u32 caps, caps2, pm_flags;
	unsigned int f_init;
	struct mmc_ios ios;
	struct mmc_slot slot;
	bool can_retune, retune_now, retune_paused;
	int need_retune, hold_retune, rescan_disable, detect_change;
	const void *bus_ops;
	void *led;
	spinlock_t lock;
	unsigned long private[] __attribute__((aligned(64)));
};
struct mmc_host *mmc_alloc_host(int extra, struct device *dev);
int mmc_add_host(struct mmc_host *host);
void mmc_remove_host(struct mmc_host *host);
void mmc_free_host(struct mmc_host *host);
static inline void *mmc_priv(struct mmc_host *host) { return (void *)host->private; }

struct can_berr_counter { u16 txerr, rxerr; };
struct can_priv { int (*do_get_berr_counter)(const struct net_device *dev, struct can_berr_counter *bec); struct net_device *dev; int state; struct sk_buff **echo_skb; unsigned int echo_skb_max; };
struct net_device *alloc_candev_mqs(int sizeof_priv, unsigned int echo_skb_max, unsigned int txqs, unsigned int rxqs);
#define alloc_candev(sizeof_priv, echo_skb_max) alloc_candev_mqs(sizeof_priv, echo_skb_max, 1, 1)
void free_candev(struct net_device *dev);
int register_candev(struct net_device *dev);
void unregister_candev(struct net_device *dev);

struct rfkill;
struct wiphy { struct mutex mtx; bool registered; struct rfkill *rfkill; struct device dev; char priv[] __attribute__((aligned(32))); };
struct cfg80211_ops { int (*suspend)(struct wiphy *wiphy, void *wow); };
struct wiphy *wiphy_new_nm(const struct cfg80211_ops *ops, int sizeof_priv, const char *requested_name);
int wiphy_register(struct wiphy *wiphy);
void wiphy_unregister(struct wiphy *wiphy);
void wiphy_free(struct wiphy *wiphy);
static inline void *wiphy_priv(struct wiphy *wiphy) { return &wiphy->priv; }
static inline struct wiphy *wiphy_new(const struct cfg80211_ops *ops, int size) { return wiphy_new_nm(ops, size, NULL); }

struct ieee80211_hw { struct wiphy *wiphy; void *priv; u16 queues; };
struct ieee80211_ops { int (*start)(struct ieee80211_hw *hw); void (*stop)(struct ieee80211_hw *hw); };
struct ieee80211_hw *ieee80211_alloc_hw_nm(size_t size, const struct ieee80211_ops *ops, const char *name);
int ieee80211_register_hw(struct ieee80211_hw *hw);
void ieee80211_unregister_hw(struct ieee80211_hw *hw);
void ieee80211_free_hw(struct ieee80211_hw *hw);
static inline struct ieee80211_hw *ieee80211_alloc_hw(size_t size, const struct ieee80211_ops *ops) { return ieee80211_alloc_hw_nm(size, ops, NULL); }

struct wpan_phy;
struct ieee802154_hw { int extra_tx_headroom; u32 flags; struct device *parent; void *priv; struct wpan_phy *phy; };
struct ieee802154_ops { int (*start)(struct ieee802154_hw *hw); void (*stop)(struct ieee802154_hw *hw); };
struct ieee802154_hw *ieee802154_alloc_hw(size_t size, const struct ieee802154_ops *ops);
int ieee802154_register_hw(struct ieee802154_hw *hw);
void ieee802154_unregister_hw(struct ieee802154_hw *hw);
void ieee802154_free_hw(struct ieee802154_hw *hw);

struct hci_dev {
	struct mutex lock;
	const char *name;
	u16 id;
	struct device dev;
	int (*open)(struct hci_dev *hdev);
	int (*close)(struct hci_dev *hdev);
	int (*send)(struct hci_dev *hdev, struct sk_buff *skb);
};
struct hci_dev *hci_alloc_dev_priv(int sizeof_priv);
void hci_free_dev(struct hci_dev *hdev);
int hci_register_dev(struct hci_dev *hdev);
void hci_unregister_dev(struct hci_dev *hdev);
static inline void *hci_get_priv(struct hci_dev *hdev) { return (char *)hdev + sizeof(*hdev); }

struct counter_device;
struct counter_ops { int (*watch_validate)(struct counter_device *counter, const void *watch); };
struct counter_device { const char *name; struct device *parent; const struct counter_ops *ops; struct device dev; };
struct counter_device *counter_alloc(size_t sizeof_priv);
struct counter_device *devm_counter_alloc(struct device *dev, size_t sizeof_priv);
void *counter_priv(const struct counter_device *counter);
void counter_put(struct counter_device *counter);
int counter_add(struct counter_device *counter);
int devm_counter_add(struct device *dev, struct counter_device *counter);
void counter_unregister(struct counter_device *counter);

struct memstick_dev;
struct memstick_host {
	struct mutex lock;
	unsigned int id, caps;
	struct memstick_dev *card;
	struct device dev;
	void (*request)(struct memstick_host *host);
	int (*set_param)(struct memstick_host *host, int param, int value);
	unsigned long private[] __attribute__((aligned(64)));
};
struct memstick_host *memstick_alloc_host(unsigned int extra, struct device *dev);
int memstick_add_host(struct memstick_host *host);
void memstick_remove_host(struct memstick_host *host);
void memstick_free_host(struct memstick_host *host);
static inline void *memstick_priv(struct memstick_host *host) { return (void *)host->private; }

struct mii_bus { const char *name; struct device *parent; void *priv; int (*read)(struct mii_bus *bus, int addr, int reg); };
struct mii_bus *devm_mdiobus_alloc_size(struct device *dev, int sizeof_priv);

struct i2c_adapter;
struct i2c_mux_core {
	struct i2c_adapter *parent;
	struct device *dev;
	void *priv;
	int (*select)(struct i2c_mux_core *muxc, u32 chan_id);
	int (*deselect)(struct i2c_mux_core *muxc, u32 chan_id);
	int num_adapters, max_adapters;
	struct i2c_adapter *adapter[];
};
struct i2c_mux_core *i2c_mux_alloc(struct i2c_adapter *parent, struct device *dev, int max_adapters, int sizeof_priv, u32 flags,
	int (*select)(struct i2c_mux_core *, u32), int (*deselect)(struct i2c_mux_core *, u32));
static inline void *i2c_mux_priv(struct i2c_mux_core *muxc) { return muxc->priv; }

/* --- drivers of more buses --------------------------------------------------------------------- */

typedef struct pm_message { int event; } pm_message_t;
int driver_register(struct device_driver *driver);
void driver_unregister(struct device_driver *driver);

struct sdio_func { struct device dev; };
struct sdio_device_id { u16 vendor, device; };
struct sdio_driver {
	char *name;
	const struct sdio_device_id *id_table;
	int (*probe)(struct sdio_func *func, const struct sdio_device_id *id);
	void (*remove)(struct sdio_func *func);
	struct device_driver drv;
};
int sdio_register_driver(struct sdio_driver *driver);
void sdio_unregister_driver(struct sdio_driver *driver);

struct sdw_slave { struct device dev; };
struct sdw_device_id { u16 mfg_id, part_id; };
struct sdw_driver {
	const char *name;
	int (*probe)(struct sdw_slave *slave, const struct sdw_device_id *id);
	int (*remove)(struct sdw_slave *slave);
	void (*shutdown)(struct sdw_slave *slave);
	struct device_driver driver;
};
int __sdw_register_driver(struct sdw_driver *driver, struct module *owner);
void sdw_unregister_driver(struct sdw_driver *driver);
#define sdw_register_driver(driver) __sdw_register_driver(driver, THIS_MODULE)

struct mdio_device { struct device dev; int addr; };
struct mdio_driver_common { struct device_driver driver; int flags; };
struct mdio_driver {
	struct mdio_driver_common mdiodrv;
	int (*probe)(struct mdio_device *mdiodev);
	void (*remove)(struct mdio_device *mdiodev);
	void (*shutdown)(struct mdio_device *mdiodev);
};
int mdio_driver_register(struct mdio_driver *driver);
void mdio_driver_unregister(struct mdio_driver *driver);

struct phy_device;
struct phy_driver {
	struct mdio_driver_common mdiodrv;
	u32 phy_id;
	int (*probe)(struct phy_device *phydev);
	void (*remove)(struct phy_device *phydev);
	int (*read_status)(struct phy_device *phydev);
};
int phy_driver_register(struct phy_driver *driver, struct module *owner);
int phy_drivers_register(struct phy_driver *drivers, int n, struct module *owner);
void phy_driver_unregister(struct phy_driver *driver);
void phy_drivers_unregister(struct phy_driver *drivers, int n);

struct spmi_device { struct device dev; u8 usid; };
struct spmi_driver {
	struct device_driver driver;
	int (*probe)(struct spmi_device *sdev);
	void (*remove)(struct spmi_device *sdev);
	void (*shutdown)(struct spmi_device *sdev);
};
int __spmi_driver_register(struct spmi_driver *driver, struct module *owner);
#define spmi_driver_register(driver) __spmi_driver_register(driver, THIS_MODULE)
static inline void spmi_driver_unregister(struct spmi_driver *driver) { driver_unregister(&driver->driver); }

struct slim_device { struct device dev; };
struct slim_driver {
	int (*probe)(struct slim_device *sl);
	void (*remove)(struct slim_device *sl);
	struct device_driver driver;
};
int __slim_driver_register(struct slim_driver *driver, struct module *owner);
void slim_driver_unregister(struct slim_driver *driver);
#define slim_driver_register(driver) __slim_driver_register(driver, THIS_MODULE)

struct bcma_device { struct device dev; };
struct bcma_driver {
	const char *name;
	int (*probe)(struct bcma_device *core);
	void (*remove)(struct bcma_device *core);
	struct device_driver drv;
};
int __bcma_driver_register(struct bcma_driver *driver, struct module *owner);
void bcma_driver_unregister(struct bcma_driver *driver);
#define bcma_driver_register(driver) __bcma_driver_register(driver, THIS_MODULE)

struct hv_device { struct device device; };
struct hv_vmbus_device_id { u8 guid[16]; };
struct hv_driver {
	const char *name;
	struct device_driver driver;
	int (*probe)(struct hv_device *dev, const struct hv_vmbus_device_id *id);
	int (*remove)(struct hv_device *dev);
	void (*shutdown)(struct hv_device *dev);
};
int __vmbus_driver_register(struct hv_driver *driver, struct module *owner, const char *name);
void vmbus_driver_unregister(struct hv_driver *driver);
#define vmbus_driver_register(driver) __vmbus_driver_register(driver, THIS_MODULE, "demo")

struct ssam_device { struct device dev; };
struct ssam_device_driver {
	struct device_driver driver;
	int (*probe)(struct ssam_device *sdev);
	void (*remove)(struct ssam_device *sdev);
};
int __ssam_device_driver_register(struct ssam_device_driver *driver, struct module *owner);
void ssam_device_driver_unregister(struct ssam_device_driver *driver);
#define ssam_device_driver_register(driver) __ssam_device_driver_register(driver, THIS_MODULE)

struct ishtp_cl_device;
struct ishtp_cl_driver {
	struct device_driver driver;
	const char *name;
	int (*probe)(struct ishtp_cl_device *dev);
	void (*remove)(struct ishtp_cl_device *dev);
};
int ishtp_cl_driver_register(struct ishtp_cl_driver *driver, struct module *owner);
void ishtp_cl_driver_unregister(struct ishtp_cl_driver *driver);
struct device *ishtp_device(struct ishtp_cl_device *dev);

struct memstick_dev { struct device dev; };
struct memstick_driver {
	int (*probe)(struct memstick_dev *card);
	void (*remove)(struct memstick_dev *card);
	int (*suspend)(struct memstick_dev *card, pm_message_t state);
	int (*resume)(struct memstick_dev *card);
	struct device_driver driver;
};
int memstick_register_driver(struct memstick_driver *driver);
void memstick_unregister_driver(struct memstick_driver *driver);

struct mhi_device { struct device dev; };
struct mhi_device_id { const char *chan; };
struct mhi_driver {
	int (*probe)(struct mhi_device *mhi_dev, const struct mhi_device_id *id);
	void (*remove)(struct mhi_device *mhi_dev);
	struct device_driver driver;
};
int __mhi_driver_register(struct mhi_driver *driver, struct module *owner);
void mhi_driver_unregister(struct mhi_driver *driver);
#define mhi_driver_register(driver) __mhi_driver_register(driver, THIS_MODULE)

struct gameport { struct device dev; };
struct gameport_driver {
	const char *description;
	int (*connect)(struct gameport *gameport, struct gameport_driver *driver);
	void (*disconnect)(struct gameport *gameport);
	struct device_driver driver;
};
int __gameport_register_driver(struct gameport_driver *driver, struct module *owner, const char *name);
void gameport_unregister_driver(struct gameport_driver *driver);
#define gameport_register_driver(driver) __gameport_register_driver(driver, THIS_MODULE, "demo")

struct serio_driver;
struct serio {
	void *port_data;
	spinlock_t lock;
	int (*open)(struct serio *serio);
	void (*close)(struct serio *serio);
	struct serio_driver *drv;
	struct mutex drv_mutex;
	struct device dev;
};
struct serio_driver {
	const char *description;
	irqreturn_t (*interrupt)(struct serio *serio, unsigned char data, unsigned int flags);
	int (*reconnect)(struct serio *serio);
	int (*connect)(struct serio *serio, struct serio_driver *driver);
	void (*disconnect)(struct serio *serio);
	struct device_driver driver;
};
int __serio_register_driver(struct serio_driver *driver, struct module *owner, const char *name);
void serio_unregister_driver(struct serio_driver *driver);
int serio_open(struct serio *serio, struct serio_driver *driver);
void serio_close(struct serio *serio);
static inline void *serio_get_drvdata(struct serio *serio) { return dev_get_drvdata(&serio->dev); }
static inline void serio_set_drvdata(struct serio *serio, void *data) { dev_set_drvdata(&serio->dev, data); }
#define serio_register_driver(driver) __serio_register_driver(driver, THIS_MODULE, "demo")

struct fw_unit { struct device device; };
struct ieee1394_device_id { u32 vendor_id; };
struct fw_driver {
	struct device_driver driver;
	int (*probe)(struct fw_unit *unit, const struct ieee1394_device_id *id);
	void (*update)(struct fw_unit *unit);
	void (*remove)(struct fw_unit *unit);
};

struct typec_altmode { struct device dev; };
struct typec_altmode_driver {
	int (*probe)(struct typec_altmode *altmode);
	void (*remove)(struct typec_altmode *altmode);
	struct device_driver driver;
};
int __typec_altmode_register_driver(struct typec_altmode_driver *driver, struct module *owner);
void typec_altmode_unregister_driver(struct typec_altmode_driver *driver);
#define typec_altmode_register_driver(driver) __typec_altmode_register_driver(driver, THIS_MODULE)

struct i3c_device;
struct i3c_driver {
	struct device_driver driver;
	int (*probe)(struct i3c_device *dev);
	void (*remove)(struct i3c_device *dev);
};
int i3c_driver_register_with_owner(struct i3c_driver *driver, struct module *owner);
void i3c_driver_unregister(struct i3c_driver *driver);
struct device *i3cdev_to_dev(struct i3c_device *i3cdev);
#define i3c_driver_register(driver) i3c_driver_register_with_owner(driver, THIS_MODULE)

struct ntb_client;
struct ntb_dev { struct device dev; };
struct ntb_client_ops {
	int (*probe)(struct ntb_client *client, struct ntb_dev *ntb);
	void (*remove)(struct ntb_client *client, struct ntb_dev *ntb);
};
struct ntb_client { struct device_driver drv; const struct ntb_client_ops ops; };
int __ntb_register_client(struct ntb_client *client, struct module *owner, const char *name);
void ntb_unregister_client(struct ntb_client *client);
#define ntb_register_client(client) __ntb_register_client(client, THIS_MODULE, "demo")

struct apr_device { struct device dev; u16 svc_id; };
struct apr_driver {
	int (*probe)(struct apr_device *adev);
	void (*remove)(struct apr_device *adev);
	struct device_driver driver;
};
int __apr_driver_register(struct apr_driver *driver, struct module *owner);
void apr_driver_unregister(struct apr_driver *driver);
#define apr_driver_register(driver) __apr_driver_register(driver, THIS_MODULE)

struct tb_service { struct device dev; int id; };
struct tb_service_id { u32 protocol_id; };
struct tb_service_driver {
	struct device_driver driver;
	int (*probe)(struct tb_service *svc, const struct tb_service_id *id);
	void (*remove)(struct tb_service *svc);
	void (*shutdown)(struct tb_service *svc);
};
int tb_register_service_driver(struct tb_service_driver *driver);
void tb_unregister_service_driver(struct tb_service_driver *driver);

/* --- sound controls, and serial ports ---------------------------------------------------------- */

struct snd_kcontrol;
struct snd_ctl_elem_info {
	int type;
	unsigned int count;
};
struct snd_ctl_elem_value {
	union {
		struct { long value[128]; } integer;
	} value;
};
struct snd_kcontrol_new {
	const char *name;
	int (*info)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_info *uinfo);
	int (*get)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	int (*put)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	unsigned long private_value;
};
struct snd_kcontrol {
	int (*info)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_info *uinfo);
	int (*get)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	int (*put)(struct snd_kcontrol *kcontrol, struct snd_ctl_elem_value *ucontrol);
	unsigned long private_value;
	void *private_data;
};

struct uart_port;
struct uart_ops {
	unsigned int (*tx_empty)(struct uart_port *port);
	unsigned int (*get_mctrl)(struct uart_port *port);
	void (*stop_tx)(struct uart_port *port);
	void (*start_tx)(struct uart_port *port);
	const char *(*type)(struct uart_port *port);
};
struct uart_port {
	spinlock_t lock;
	unsigned int irq, line;
	const struct uart_ops *ops;
	void *private_data;
};

#endif
