/* More tables whose functions are called without a lock: each races with itself, what is the call's own does not. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>

struct regulator_dev;
struct regulator_ops { int (*enable)(struct regulator_dev *rdev); int (*get_error_flags)(struct regulator_dev *rdev, unsigned int *flags); };
struct pinctrl_dev;
struct pinctrl_ops { int (*get_groups_count)(struct pinctrl_dev *pctldev); };
struct pinconf_ops { bool is_generic; int (*pin_config_set)(struct pinctrl_dev *pctldev, unsigned int pin, unsigned long *configs, unsigned int n); };
struct pinmux_ops { int (*request)(struct pinctrl_dev *pctldev, unsigned int offset); };
struct regmap_bus { bool fast_io; int (*read)(void *context, const void *reg, size_t n, void *value, size_t m); };
struct regmap_irq_chip { const char *name; int (*handle_pre_irq)(void *data); };
struct power_supply;
struct power_supply_desc {
	const char *name;
	int (*get_property)(struct power_supply *psy, int property, int *value);
	int (*set_property)(struct power_supply *psy, int property, const int *value);
};
struct nfcmrvl_if_ops { int (*nci_open)(void *priv); };
struct s3fwrn5_phy_ops { void (*set_wake)(void *id, bool sleep); };
struct hid_sensor_hub_device { void *hdev; int start_collection_index; };
struct hid_sensor_hub_callbacks {
	void *pdev;
	int (*suspend)(struct hid_sensor_hub_device *hsdev, void *data);
	int (*capture_sample)(struct hid_sensor_hub_device *hsdev, u32 usage, size_t n, char *raw, void *data);
};
struct occ { struct mutex lock; int polls; int (*send_cmd)(struct occ *occ, u8 *cmd, size_t n); };
struct adxl34x_bus_ops { u16 bustype; int (*read)(struct device *dev, unsigned char reg); };
struct nsc_gpio_ops { struct module *owner; int (*gpio_get)(unsigned int minor); };
struct nxp_nci_phy_ops { int (*set_mode)(void *id, int mode); };
struct gpio_chip { const char *label; int (*init_valid_mask)(struct gpio_chip *chip, unsigned long *mask, unsigned int n); };
struct mbox_client { struct device *dev; void (*tx_done)(struct mbox_client *client, void *message, int result); };
struct bus_type { const char *name; int (*match)(struct device *dev, struct device_driver *driver); };
struct class { const char *name; void (*dev_release)(struct device *dev); };

static int calls[21];

static int demo_enable(struct regulator_dev *rdev)
{
	return calls[0]++; // RACE!
}

static int demo_get_error_flags(struct regulator_dev *rdev, unsigned int *flags)
{
	*flags = 1; // NORACE
	return calls[1]++; // RACE!
}
const struct regulator_ops demo_regulator = { .enable = demo_enable, .get_error_flags = demo_get_error_flags };

static int demo_get_groups_count(struct pinctrl_dev *pctldev)
{
	return calls[2]++; // RACE!
}
const struct pinctrl_ops demo_pinctrl = { .get_groups_count = demo_get_groups_count };

static int demo_pin_config_set(struct pinctrl_dev *pctldev, unsigned int pin, unsigned long *configs, unsigned int n)
{
	return calls[3]++; // RACE!
}
const struct pinconf_ops demo_pinconf = { .pin_config_set = demo_pin_config_set };

static int demo_request(struct pinctrl_dev *pctldev, unsigned int offset)
{
	return calls[4]++; // RACE!
}
const struct pinmux_ops demo_pinmux = { .request = demo_request };

static int demo_bus_read(void *context, const void *reg, size_t n, void *value, size_t m)
{
	*(int *)value = calls[5]++; // RACE!
	return 0;
}
const struct regmap_bus demo_bus = { .read = demo_bus_read };

static int demo_get_property(struct power_supply *psy, int property, int *value)
{
	*value = 1; // NORACE
	return calls[6]++; // RACE!
}

static int demo_set_property(struct power_supply *psy, int property, const int *value)
{
	return calls[7]++; // RACE!
}
const struct power_supply_desc demo_supply = { .get_property = demo_get_property, .set_property = demo_set_property };

static int demo_nci_open(void *priv)
{
	return calls[8]++; // RACE!
}
const struct nfcmrvl_if_ops demo_if_ops = { .nci_open = demo_nci_open };

static void demo_set_wake(void *id, bool sleep)
{
	calls[9]++; // RACE!
}
const struct s3fwrn5_phy_ops demo_phy_ops = { .set_wake = demo_set_wake };

static int demo_suspend(struct hid_sensor_hub_device *hsdev, void *data)
{
	return calls[10]++; // RACE!
}

static int demo_capture_sample(struct hid_sensor_hub_device *hsdev, u32 usage, size_t n, char *raw, void *data)
{
	hsdev->start_collection_index++; // NORACE
	return calls[11]++; // RACE!
}
struct hid_sensor_hub_callbacks demo_sensor = { .suspend = demo_suspend, .capture_sample = demo_capture_sample };

static int demo_match(struct device *dev, struct device_driver *driver)
{
	return calls[12]++; // RACE!
}
struct bus_type demo_bus_type = { .match = demo_match };

static void demo_dev_release(struct device *dev)
{
	calls[13]++; // RACE!
}
struct class demo_class = { .dev_release = demo_dev_release };

static int demo_send_cmd(struct occ *occ, u8 *cmd, size_t n)
{
	occ->polls++; // NORACE
	return calls[14]++; // RACE!
}

void demo_setup(struct occ *occ)
{
	occ->send_cmd = demo_send_cmd; // RACE!
}
EXPORT_SYMBOL(demo_setup);

static int demo_adxl_read(struct device *dev, unsigned char reg)
{
	return calls[15]++; // RACE!
}
const struct adxl34x_bus_ops demo_adxl = { .read = demo_adxl_read };

static int demo_gpio_get(unsigned int minor)
{
	return calls[16]++; // RACE!
}
struct nsc_gpio_ops demo_gpio = { .gpio_get = demo_gpio_get };

static int demo_set_mode(void *id, int mode)
{
	return calls[17]++; // RACE!
}
const struct nxp_nci_phy_ops demo_nxp = { .set_mode = demo_set_mode };

static int demo_init_valid_mask(struct gpio_chip *chip, unsigned long *mask, unsigned int n)
{
	*mask = 1; // NORACE
	return calls[18]++; // RACE!
}
struct gpio_chip demo_chip = { .init_valid_mask = demo_init_valid_mask };

static void demo_tx_done(struct mbox_client *client, void *message, int result)
{
	calls[19]++; // RACE!
}
struct mbox_client demo_client = { .tx_done = demo_tx_done };

static int demo_pre_irq(void *data)
{
	return calls[20]++; // RACE!
}
const struct regmap_irq_chip demo_irq_chip = { .handle_pre_irq = demo_pre_irq };
