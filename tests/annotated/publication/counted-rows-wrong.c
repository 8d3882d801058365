/* Who counts a reference gives the same object back. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/kobject.h>
#include <linux/i2c.h>
#include <linux/pci.h>

struct demo {
	struct device dev;
	struct device_driver driver;
	struct kobject kobj;
	struct fwnode_handle node;
	struct i2c_client client;
	struct i2c_adapter adapter;
	struct pci_dev pci;
	int value;
};

struct device *get_device(struct device *dev);
struct device_driver *get_driver(struct device_driver *driver);
struct kobject *kobject_get(struct kobject *kobj);
struct fwnode_handle *fwnode_handle_get(struct fwnode_handle *node);
struct i2c_client *i2c_verify_client(struct device *dev);
struct i2c_adapter *i2c_verify_adapter(struct device *dev);
struct pci_dev *pci_dev_get(struct pci_dev *dev);

static struct device *device;
static struct device_driver *driver;
static struct kobject *kobj;
static struct fwnode_handle *node;
static struct i2c_client *client;
static struct i2c_adapter *adapter;
static struct pci_dev *pci;
static DEFINE_MUTEX(lock);

static struct demo *demo_make(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	mutex_lock(&lock);
	return demo;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_make();

	device = get_device(&demo->dev);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	driver = get_driver(&demo->driver);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	kobj = kobject_get(&demo->kobj);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	node = fwnode_handle_get(&demo->node);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	client = i2c_verify_client(&demo->client.dev);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	adapter = i2c_verify_adapter(&demo->adapter.dev);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	pci = pci_dev_get(&demo->pci);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	len = container_of(device, struct demo, dev)->value; // RACE!
	len += container_of(driver, struct demo, driver)->value; // RACE!
	len += container_of(kobj, struct demo, kobj)->value; // RACE!
	len += container_of(node, struct demo, node)->value; // RACE!
	len += container_of(client, struct demo, client)->value; // RACE!
	len += container_of(adapter, struct demo, adapter)->value; // RACE!
	len += container_of(pci, struct demo, pci)->value; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
