/* What is added to something of the kernel's, or put into it, others find there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/debugfs.h>
#include <linux/irq.h>
#include <linux/ioport.h>
#include <linux/cdev.h>
#include <linux/scatterlist.h>

void sg_init_table(struct scatterlist *list, unsigned int n);
void sg_init_one(struct scatterlist *list, const void *buf, unsigned int len);
void *devres_get(struct device *dev, void *new_res, void *match, void *data);
void *devres_find(struct device *dev, void *release, void *match, void *data);
struct irq_data *irq_get_irq_data(unsigned int irq);
void irq_set_chip_and_handler_name(unsigned int irq, const struct irq_chip *chip, void *handle, const char *name);
int request_resource(struct resource *root, struct resource *resource);
int insert_resource(struct resource *root, struct resource *resource);
int devm_request_resource(struct device *dev, struct resource *root, struct resource *resource);
void cdev_set_parent(struct cdev *cdev, struct kobject *kobj);
void *memset64(u64 *numbers, u64 value, size_t count);
unsigned long simple_strtoul(const char *text, char **end, unsigned int base);
char *bin2hex(char *dst, const void *src, size_t count);

struct demo {
	struct resource resource;
	struct irq_chip chip;
	struct kobject kobj;
	int value;
};

static struct scatterlist list;
static struct resource root;
static struct cdev cdev;
static struct device *device;
static char *end;
static u64 numbers[4];
static DEFINE_MUTEX(lock);

static struct demo *demo_make(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	mutex_lock(&lock);
	return demo;
}

static struct vfsmount *demo_mount(struct dentry *dentry, void *data)
{
	struct demo *demo = data;

	demo->value++; // RACE!
	return NULL;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_make();
	char *text;

	sg_init_table(&list, 1);
	sg_init_one(&list, demo, sizeof(*demo));
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	devres_get(device, demo, NULL, NULL);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	irq_set_chip_and_handler_name(7, &demo->chip, NULL, "demo");
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	request_resource(&root, &demo->resource);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	insert_resource(&root, &demo->resource);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	devm_request_resource(device, &root, &demo->resource);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	debugfs_create_automount("demo", NULL, demo_mount, demo);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	demo = demo_make();
	memset64(numbers, (u64)demo, 4);
	mutex_unlock(&lock);
	demo->value = len; // RACE!

	demo = demo_make();
	cdev_set_parent(&cdev, &demo->kobj);
	mutex_unlock(&lock);
	demo->value = len; // RACE!
	text = kzalloc(len, GFP_KERNEL);
	mutex_lock(&lock);
	simple_strtoul(text, &end, 10);
	mutex_unlock(&lock);
	text[1] = 'a'; // RACE!
	text = kzalloc(len, GFP_KERNEL);
	mutex_lock(&lock);
	end = bin2hex(text, "a", 1);
	mutex_unlock(&lock);
	text[1] = 'a'; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *found;

	mutex_lock(&lock);
	found = sg_virt(&list);
	len += found->value; // RACE!
	found = devres_find(device, NULL, NULL, NULL);
	len += found->value; // RACE!
	found = container_of(irq_get_irq_data(7)->chip, struct demo, chip); // RACE: parts of texts that code outside keeps are not told from its own objects
	len += found->value; // RACE!
	found = container_of(root.child, struct demo, resource);
	len += found->value; // RACE!
	found = container_of(cdev.kobj.parent, struct demo, kobj);
	len += found->value; // RACE!
	found = (struct demo *)numbers[1];
	len += found->value; // RACE!
	len += end[0]; // RACE!
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
