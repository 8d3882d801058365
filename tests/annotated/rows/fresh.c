/* What allocates gives an object that nobody else has, until a pointer to it is in shared memory. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/usb.h>
#include <linux/netdevice.h>
#include <linux/cdev.h>

struct mii_bus { int id; };
void *kmalloc_node_trace(void *cache, gfp_t flags, int node, size_t size);
void *kvmalloc_node(size_t size, gfp_t flags, int node);
void *devm_kmalloc_array(struct device *dev, size_t n, size_t size, gfp_t flags);
char *devm_kasprintf(struct device *dev, gfp_t flags, const char *format, ...);
void *__devm_alloc_percpu(struct device *dev, size_t size, size_t align);
void *__alloc_pages(gfp_t flags, unsigned int order, int node, void *mask);
void __free_pages(void *page, unsigned int order);
void *page_frag_alloc_align(void *cache, unsigned int size, gfp_t flags, unsigned int mask);
void page_frag_free(void *data);
void *dmam_alloc_attrs(struct device *dev, size_t size, dma_addr_t *handle, gfp_t flags, unsigned long attrs);
void *usb_alloc_coherent(struct usb_device *dev, size_t size, gfp_t flags, dma_addr_t *handle);
void *pcim_iomap_table(struct pci_dev *dev);
struct mii_bus *devm_mdiobus_alloc_size(struct device *dev, int private_size);
void mdiobus_free(struct mii_bus *bus);
struct net_device *devm_alloc_etherdev_mqs(struct device *dev, int size, unsigned int txqs, unsigned int rxqs);
struct cdev *cdev_alloc(void);

/* Early while it is one's own, late when others may have it; ends is written by who frees. */
struct item {
	int early, late;
};
static struct item *volatile shared;
static dma_addr_t handles[2];

static struct item *allocate(unsigned int cmd, dma_addr_t *handle)
{
	const size_t n = sizeof(struct item);

	switch (cmd) {
	case 0:
		return kmalloc_node_trace(NULL, GFP_KERNEL, 0, n);
	case 1:
		return kvmalloc_node(n, GFP_KERNEL, 0);
	case 2:
		return devm_kmalloc_array(NULL, 1, n, GFP_KERNEL);
	case 3:
		return (struct item *)devm_kasprintf(NULL, GFP_KERNEL, "12345678");
	case 4:
		return __devm_alloc_percpu(NULL, n, 8);
	case 5:
		return __alloc_pages(GFP_KERNEL, 0, 0, NULL);
	case 6:
		return page_frag_alloc_align(NULL, n, GFP_KERNEL, 0);
	case 7:
		return dmam_alloc_attrs(NULL, n, handle, GFP_KERNEL, 0);
	case 8:
		return usb_alloc_coherent(NULL, n, GFP_KERNEL, handle);
	case 9:
		return pcim_iomap_table(NULL);
	}
	return NULL;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	dma_addr_t handle;
	struct item *item = allocate(cmd, &handle);

	if (!item)
		return -ENOMEM;
	item->early = 1; // NORACE
	shared = item;
	item->late = 1; // RACE!
	return 0;
}

static int demo_flush(struct file *file, void *id)
{
	struct net_device *dev = devm_alloc_etherdev_mqs(NULL, 8, 1, 1);
	struct mii_bus *bus = devm_mdiobus_alloc_size(NULL, 8); // RACE: memory that is managed for no device may be any
	struct cdev *cdev = cdev_alloc();

	if (!dev || !bus || !cdev)
		return -ENOMEM;
	dev->irq = 1; // NORACE
	dev->_tx->state = 1; // NORACE
	bus->id = 1; // NORACE
	cdev->ops = NULL; // NORACE
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct item *item = shared;

	return item->late + item->early; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	usb_alloc_coherent(NULL, 8, GFP_KERNEL, &handles[0]); // RACE!
	dmam_alloc_attrs(NULL, 8, &handles[1], GFP_KERNEL, 0); // RACE!
	return n;
}

/* The end of an object is a race with its use. */
static ssize_t demo_write_iter(struct kiocb *iocb, struct iov_iter *from)
{
	switch (iocb->ki_pos) {
	case 0:
		__free_pages(shared, 0); // RACE!
		break;
	case 1:
		page_frag_free(shared); // RACE!
		break;
	case 2:
		mdiobus_free((struct mii_bus *)shared); // RACE!
		break;
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.flush = demo_flush,
	.read = demo_read,
	.write = demo_write,
	.write_iter = demo_write_iter,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
