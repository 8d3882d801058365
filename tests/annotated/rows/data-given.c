/* What these give leads to memory of devices and pages, never to a struct of the module. */
// verdict: race-free
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	u8 level;
};

struct pci_dev;
struct platform_device;
struct device;
struct device_node;
struct resource;
struct page;
struct file;

void *lowmem_page_address(const struct page *page);
void *phys_to_virt(unsigned long address);
void *ioremap_cache(unsigned long at, unsigned long n);
void *ioremap_wc(unsigned long at, unsigned long n), *ioremap_uc(unsigned long at, unsigned long n);
void *ioremap_wt(unsigned long at, unsigned long n), *ioremap_encrypted(unsigned long at, unsigned long n);
void *ioremap_prot(unsigned long at, unsigned long n, unsigned long prot);
void *memremap(unsigned long at, unsigned long n, unsigned long flags);
void *ioport_map(unsigned long port, unsigned int n), *early_ioremap(unsigned long at, unsigned long n);
void *devm_ioremap(struct device *dev, unsigned long at, unsigned long n);
void *devm_ioremap_uc(struct device *dev, unsigned long at, unsigned long n);
void *devm_ioremap_wc(struct device *dev, unsigned long at, unsigned long n);
void *devm_ioremap_np(struct device *dev, unsigned long at, unsigned long n);
void *devm_ioremap_resource(struct device *dev, const struct resource *resource);
void *devm_ioremap_resource_wc(struct device *dev, const struct resource *resource);
void *devm_ioport_map(struct device *dev, unsigned long port, unsigned int n);
void *devm_platform_ioremap_resource(struct platform_device *device, unsigned int n);
void *devm_platform_ioremap_resource_byname(struct platform_device *device, const char *name);
void *devm_platform_get_and_ioremap_resource(struct platform_device *device, unsigned int n, struct resource **res);
void *devm_of_iomap(struct device *dev, struct device_node *node, int index, unsigned long *size);
void *pci_iomap(struct pci_dev *dev, int bar, unsigned long max), *pci_iomap_wc(struct pci_dev *dev, int bar, unsigned long max);
void *pci_iomap_range(struct pci_dev *dev, int bar, unsigned long at, unsigned long max);
void *pci_iomap_wc_range(struct pci_dev *dev, int bar, unsigned long at, unsigned long max);
void *pci_ioremap_bar(struct pci_dev *dev, int bar), *pci_ioremap_wc_bar(struct pci_dev *dev, int bar);
void *vmap(struct page **pages, unsigned int n, unsigned long flags, unsigned long prot);
void *zs_map_object(void *pool, unsigned long handle, int mode);
char *file_path(struct file *file, char *buffer, int n);
void *ERR_CAST(const void *error);

static DEFINE_MUTEX(lock);
static struct demo *current_demo;

#define LOOK(address) sum += *(u8 *)(address)

unsigned int demo_look(struct pci_dev *pci, struct platform_device *platform, struct device *dev, struct page *page)
{
	unsigned int sum = 0;

	LOOK(lowmem_page_address(page)); // NORACE
	LOOK(phys_to_virt(4096)); // NORACE
	LOOK(ioremap(4096, 8)); // NORACE
	LOOK(ioremap_cache(4096, 8)); // NORACE
	LOOK(ioremap_wc(4096, 8)); // NORACE
	LOOK(ioremap_uc(4096, 8)); // NORACE
	LOOK(ioremap_wt(4096, 8)); // NORACE
	LOOK(ioremap_prot(4096, 8, 1)); // NORACE
	LOOK(ioremap_encrypted(4096, 8)); // NORACE
	LOOK(memremap(4096, 8, 1)); // NORACE
	LOOK(ioport_map(96, 8)); // NORACE
	LOOK(early_ioremap(4096, 8)); // NORACE
	LOOK(devm_ioremap(dev, 4096, 8)); // NORACE
	LOOK(devm_ioremap_uc(dev, 4096, 8)); // NORACE
	LOOK(devm_ioremap_wc(dev, 4096, 8)); // NORACE
	LOOK(devm_ioremap_np(dev, 4096, 8)); // NORACE
	LOOK(devm_ioremap_resource(dev, NULL)); // NORACE
	LOOK(devm_ioremap_resource_wc(dev, NULL)); // NORACE
	LOOK(devm_ioport_map(dev, 96, 8)); // NORACE
	LOOK(devm_platform_ioremap_resource(platform, 0)); // NORACE
	LOOK(devm_platform_ioremap_resource_byname(platform, "registers")); // NORACE
	LOOK(devm_platform_get_and_ioremap_resource(platform, 0, NULL)); // NORACE
	LOOK(devm_of_iomap(dev, NULL, 0, NULL)); // NORACE
	LOOK(pci_iomap(pci, 0, 0)); // NORACE
	LOOK(pci_iomap_wc(pci, 0, 0)); // NORACE
	LOOK(pci_iomap_range(pci, 0, 0, 0)); // NORACE
	LOOK(pci_iomap_wc_range(pci, 0, 0, 0)); // NORACE
	LOOK(pci_ioremap_bar(pci, 0)); // NORACE
	LOOK(pci_ioremap_wc_bar(pci, 0)); // NORACE
	LOOK(vmap(NULL, 1, 0, 0)); // NORACE
	LOOK(zs_map_object(NULL, 1, 0)); // NORACE
	return sum;
}
EXPORT_SYMBOL(demo_look);

/* The name is in the buffer, or this is an error. */
char demo_name(struct file *file)
{
	char *buffer = kmalloc(64, GFP_KERNEL), *name, first = 0;

	if (!buffer)
		return 0;
	name = file_path(file, buffer, 64);
	if (!IS_ERR(name))
		first = *name; // NORACE
	else if (ERR_CAST(name))
		first = 'x';
	kfree(buffer); // NORACE
	return first;
}
EXPORT_SYMBOL(demo_name);

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	if (!current_demo)
		current_demo = kzalloc(sizeof(*current_demo), GFP_KERNEL);
	if (current_demo)
		current_demo->level = n; // NORACE
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
