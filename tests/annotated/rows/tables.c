/* Functions of tables that are called without a lock: each races with itself, what is the call's own does not. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/pci.h>
#include <net/nfc/digital.h>

struct pmbus_driver_info { int pages; int (*read_byte_data)(void *client, int page, int reg); };
struct tpm_class_ops { int flags; u8 (*status)(void *chip); };
struct tpm_tis_phy_ops { int (*read_bytes)(void *data, u32 addr, u16 n, u8 *result); };
struct agp_bridge_driver { int (*configure)(void); };
struct pi_protocol { char name[8]; int (*read_regr)(void *adapter, int cont, int reg); };
struct regmap_config { int bits; bool (*volatile_reg)(struct device *dev, unsigned int reg); };
struct nvmem_config { int id; int (*reg_read)(void *priv, unsigned int offset, void *val, size_t n); };
struct bio { int status; void (*bi_end_io)(struct bio *bio); };
struct nvram_ops { ssize_t (*get_size)(void); ssize_t (*read)(char *buf, size_t n, loff_t *pos); };
struct vm_fault;
struct vm_operations_struct { unsigned int (*fault)(struct vm_fault *fault); };
struct pci_error_handlers { void (*reset_prepare)(struct pci_dev *dev); };
struct dmi_system_id { int (*callback)(const struct dmi_system_id *id); };
struct driver_attribute { const char *name; ssize_t (*show)(struct device_driver *driver, char *buf); };
struct class_attribute { const char *name; ssize_t (*show)(void *class, struct class_attribute *attr, char *buf); };
struct kobj_attribute { const char *name; ssize_t (*show)(void *kobj, struct kobj_attribute *attr, char *buf); };
struct nfc_phy_ops { int (*write)(void *dev, struct sk_buff *skb); };

static int calls[20];

static int demo_read_byte_data(void *client, int page, int reg)
{
	return calls[0]++; // RACE!
}
struct pmbus_driver_info demo_pmbus = { .read_byte_data = demo_read_byte_data };

static u8 demo_status(void *chip)
{
	return calls[1]++; // RACE!
}
const struct tpm_class_ops demo_tpm = { .status = demo_status };

static int demo_read_bytes(void *data, u32 addr, u16 n, u8 *result)
{
	return calls[2]++; // RACE!
}
const struct tpm_tis_phy_ops demo_tis = { .read_bytes = demo_read_bytes };

static int demo_configure(void)
{
	return calls[3]++; // RACE!
}
const struct agp_bridge_driver demo_agp = { .configure = demo_configure };

static int demo_read_regr(void *adapter, int cont, int reg)
{
	return calls[4]++; // RACE!
}
struct pi_protocol demo_pi = { .read_regr = demo_read_regr };

static bool demo_volatile_reg(struct device *dev, unsigned int reg)
{
	return calls[5]++; // RACE!
}
const struct regmap_config demo_regmap = { .volatile_reg = demo_volatile_reg };

static int demo_reg_read(void *priv, unsigned int offset, void *val, size_t n)
{
	return calls[6]++; // RACE!
}
struct nvmem_config demo_nvmem = { .reg_read = demo_reg_read };

static void demo_end_io(struct bio *bio)
{
	calls[7]++; // RACE!
}
void demo_start(struct bio *bio);
void demo_start(struct bio *bio)
{
	bio->bi_end_io = demo_end_io; // RACE!
}

static ssize_t demo_get_size(void)
{
	return calls[8]++; // RACE!
}
static ssize_t demo_nvram_read(char *buf, size_t n, loff_t *pos)
{
	buf[0] = 1; // NORACE
	*pos += n; // NORACE
	return calls[9]++; // RACE!
}
const struct nvram_ops demo_nvram = { .get_size = demo_get_size, .read = demo_nvram_read };

static unsigned int demo_fault(struct vm_fault *fault)
{
	return calls[10]++; // RACE!
}
const struct vm_operations_struct demo_vm = { .fault = demo_fault };

static void demo_reset_prepare(struct pci_dev *dev)
{
	calls[11]++; // RACE!
}
const struct pci_error_handlers demo_errors = { .reset_prepare = demo_reset_prepare };

static int demo_suspend_late(struct device *dev)
{
	return calls[12]++; // RACE!
}
static int demo_resume(struct device *dev)
{
	return calls[12]--; // RACE!
}
const struct dev_pm_ops demo_pm = { .suspend_late = demo_suspend_late, .resume = demo_resume };

static int demo_callback(const struct dmi_system_id *id)
{
	return calls[13]++; // RACE!
}
const struct dmi_system_id demo_dmi[] = { { .callback = demo_callback } };

static ssize_t demo_driver_show(struct device_driver *driver, char *buf)
{
	buf[0] = 1; // NORACE
	return calls[14]++; // RACE!
}
struct driver_attribute demo_driver_attr = { .name = "demo", .show = demo_driver_show };

static ssize_t demo_class_show(void *class, struct class_attribute *attr, char *buf)
{
	buf[0] = 1; // NORACE
	return calls[15]++; // RACE!
}
struct class_attribute demo_class_attr = { .name = "demo", .show = demo_class_show };

static ssize_t demo_kobj_show(void *kobj, struct kobj_attribute *attr, char *buf)
{
	buf[0] = 1; // NORACE
	return calls[16]++; // RACE!
}
struct kobj_attribute demo_kobj_attr = { .name = "demo", .show = demo_kobj_show };

static int demo_phy_write(void *dev, struct sk_buff *skb)
{
	return calls[17]++; // RACE!
}
const struct nfc_phy_ops demo_phy = { .write = demo_phy_write };

static int demo_get_rf_tech(struct nfc_digital_dev *ddev, u8 *technology)
{
	*technology = 1; // NORACE
	return calls[18]++; // RACE!
}
const struct nfc_digital_ops demo_digital = { .tg_get_rf_tech = demo_get_rf_tech };

static int numbers;

static int demo_probe(struct pci_dev *dev, const struct pci_device_id *id)
{
	dev->irq = 1; // NORACE
	return 0;
}
static int demo_sriov_configure(struct pci_dev *dev, int n)
{
	dev->irq = n; // NORACE
	return numbers++; // RACE!
}
struct pci_driver demo_driver = { .name = "demo", .probe = demo_probe, .sriov_configure = demo_sriov_configure };

struct poller {
	struct tasklet_struct tasklet;
	int polled;
};
static int all_polled;

/* One tasklet is run by one CPU at a time, two by two. */
static void demo_tasklet_callback(struct tasklet_struct *tasklet)
{
	struct poller *poller = container_of(tasklet, struct poller, tasklet);

	poller->polled++; // NORACE
	all_polled++; // RACE!
}
struct poller demo_pollers[] = {
	{ .tasklet = { .callback = demo_tasklet_callback } },
	{ .tasklet = { .callback = demo_tasklet_callback } },
};
