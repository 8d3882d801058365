/* What makes an object known to others: before it, nobody else has the new object; after it, a file of another thread may
 * lead there. */
// verdict: potential
// assume: outside-callback: debugfs_create_u32
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/notifier.h>
#include <linux/netdevice.h>
#include <linux/i2c.h>
#include <linux/idr.h>
#include <linux/xarray.h>

struct gpio_chip {
	int base;
};
struct nvmem_config {
	void *priv;
};
struct attribute_group;
struct sk_buff_head;
int sysfs_create_file_ns(struct kobject *kobj, const struct attribute *attr, const void *ns);
int driver_create_file(struct device_driver *driver, const struct attribute *attr);
int device_add(struct device *dev);
struct device *device_create_with_groups(void *class, struct device *parent, dev_t devt, void *drvdata,
					 const struct attribute_group **groups, const char *fmt, ...);
int kobject_add(struct kobject *kobj, struct kobject *parent, const char *fmt, ...);
void devres_add(struct device *dev, void *res);
int platform_device_add(struct platform_device *pdev);
int register_netdevice_notifier(struct notifier_block *nb);
int atomic_notifier_chain_register(void *chain, struct notifier_block *nb);
int devm_register_reboot_notifier(struct device *dev, struct notifier_block *nb);
int atomic_notifier_call_chain(void *chain, unsigned long event, void *data);
int gpiochip_add_data_with_key(struct gpio_chip *chip, void *data, void *key, void *request_key);
void *nvmem_register(const struct nvmem_config *config);
int i2c_add_adapter(struct i2c_adapter *adapter);
int irq_set_handler_data(unsigned int irq, void *data);
void irq_set_chained_handler_and_data(unsigned int irq, void *handler, void *data);
struct device *hwmon_device_register_with_groups(struct device *dev, const char *name, void *drvdata,
						 const struct attribute_group **groups);
struct regmap *__regmap_init(struct device *dev, const void *bus, void *context, const void *config, void *key,
			     const char *name);
struct dentry *debugfs_create_u32(const char *name, umode_t mode, struct dentry *parent, u32 *value);
int idr_alloc_cyclic(struct idr *idr, void *entry, int start, int end, gfp_t flags);
int idr_alloc_u32(struct idr *idr, void *entry, u32 *id, unsigned long max, gfp_t flags);
void *idr_replace(struct idr *idr, void *entry, unsigned long id);
int xa_insert(struct xarray *xa, unsigned long index, void *entry, gfp_t flags);
void *xa_cmpxchg(struct xarray *xa, unsigned long index, void *old, void *entry, gfp_t flags);
int __xa_alloc(struct xarray *xa, u32 *id, void *entry, u64 limit, gfp_t flags);

struct item {
	int early, late;
	u32 value;
	struct attribute attr;
	struct kobject kobj;
	struct device dev;
	struct platform_device pdev;
	struct notifier_block nb;
	struct gpio_chip chip;
	struct nvmem_config config;
	struct i2c_adapter adapter;
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct item *item = file->private_data;

	return item->early + item->late; // RACE!
}

#define NEW() ({ struct item *__item = kzalloc(sizeof(struct item), GFP_KERNEL); if (!__item) return -ENOMEM; __item; })

static long demo_devices(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = NEW();

	item->early = 1; // NORACE
	switch (cmd) {
	case 0:
		sysfs_create_file_ns(NULL, &item->attr, NULL);
		item->late = 1; // RACE!
		break;
	case 30:
		driver_create_file(NULL, &item->attr);
		item->late = 1; // RACE!
		break;
	case 1:
		device_add(&item->dev);
		item->late = 1; // RACE!
		break;
	case 2:
		device_create_with_groups(NULL, NULL, 0, item, NULL, "demo");
		item->late = 1; // RACE!
		break;
	case 3:
		kobject_add(&item->kobj, NULL, "demo");
		item->late = 1; // RACE!
		break;
	case 4:
		devres_add(NULL, item);
		item->late = 1; // RACE!
		break;
	case 5:
		platform_device_add(&item->pdev);
		item->late = 1; // RACE!
		break;
	case 6:
		gpiochip_add_data_with_key(&item->chip, NULL, NULL, NULL);
		item->late = 1; // RACE!
		break;
	case 7:
		gpiochip_add_data_with_key(NULL, item, NULL, NULL);
		item->late = 1; // RACE!
		break;
	case 8:
		nvmem_register(&item->config);
		item->late = 1; // RACE!
		break;
	case 9:
		i2c_add_adapter(&item->adapter);
		item->late = 1; // RACE!
		break;
	case 10:
		hwmon_device_register_with_groups(NULL, "demo", item, NULL);
		item->late = 1; // RACE!
		break;
	case 11:
		__regmap_init(NULL, NULL, item, NULL, NULL, NULL);
		item->late = 1; // RACE!
		break;
	case 12:
		debugfs_create_u32("demo", 0, NULL, &item->value);
		item->late = 1; // RACE!
		break;
	}
	return 0;
}

static struct idr ids;
static struct xarray array;

static long demo_others(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = NEW();
	u32 id = 0;

	item->early = 1; // NORACE
	switch (cmd) {
	case 0:
		register_netdevice_notifier(&item->nb);
		item->late = 1; // RACE!
		break;
	case 1:
		atomic_notifier_chain_register(NULL, &item->nb);
		item->late = 1; // RACE!
		break;
	case 2:
		devm_register_reboot_notifier(NULL, &item->nb);
		item->late = 1; // RACE!
		break;
	case 3:
		atomic_notifier_call_chain(NULL, 0, item); // RACE!
		item->late = 1; // RACE!
		break;
	case 4:
		irq_set_handler_data(1, item);
		item->late = 1; // RACE!
		break;
	case 5:
		irq_set_chained_handler_and_data(1, NULL, item);
		item->late = 1; // RACE!
		break;
	case 6:
		idr_alloc_cyclic(&ids, item, 0, 0, GFP_KERNEL); // RACE!
		item->late = 1; // RACE!
		break;
	case 7:
		idr_alloc_u32(&ids, item, &id, 9, GFP_KERNEL); // RACE!
		item->late = id; // RACE!
		break;
	case 8:
		idr_replace(&ids, item, 1);
		item->late = 1; // RACE!
		break;
	case 9:
		xa_insert(&array, 1, item, GFP_KERNEL);
		item->late = 1; // RACE!
		break;
	case 10:
		xa_cmpxchg(&array, 1, NULL, item, GFP_KERNEL);
		item->late = 1; // RACE!
		break;
	case 11:
		__xa_alloc(&array, &id, item, 9, GFP_KERNEL);
		item->late = id; // RACE!
		break;
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_devices,
	.compat_ioctl = demo_others,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
