/* What ends an object: a race with who uses it, but not if nobody else ever had it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/netdevice.h>
#include <linux/input.h>
#include <linux/usb.h>

void kvfree(const void *p);
void kfree_sensitive(const void *p);
void vfree(const void *p);
void kmem_cache_free(void *cache, void *p);
void mempool_free(void *p, void *pool);
void devm_kfree(struct device *dev, const void *p);
void devres_free(void *p);
void free_percpu(void *p);
void free_pages(unsigned long address, unsigned int order);
void dma_free_attrs(struct device *dev, size_t size, void *p, dma_addr_t handle, unsigned long attrs);
void dma_pool_free(void *pool, void *p, dma_addr_t handle);
void usb_free_coherent(struct usb_device *dev, size_t size, void *p, dma_addr_t dma);
void *krealloc(const void *old, size_t size, gfp_t flags);
void *devm_krealloc(struct device *dev, void *old, size_t size, gfp_t flags);
struct firmware {
	size_t size;
};
void release_firmware(const struct firmware *fw);

struct item {
	int n;
};
static struct item *volatile shared;
static struct firmware *volatile firmware;
static struct urb *volatile urb;
static struct input_dev *volatile input;
static struct net_device *volatile net;
static struct sk_buff *volatile skb;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	switch (n) {
	case 0:
		return firmware->size; // RACE!
	case 1:
		return urb->status; // RACE!
	case 2:
		return input->name != NULL; // RACE!
	case 3:
		return net->flags; // RACE!
	case 4:
		return skb->len; // RACE!
	}
	return shared->n; // RACE!
}

static long demo_shared(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		kvfree(shared); // RACE!
		break;
	case 1:
		kfree_sensitive(shared); // RACE!
		break;
	case 2:
		vfree(shared); // RACE!
		break;
	case 3:
		kmem_cache_free(NULL, shared); // RACE!
		break;
	case 4:
		mempool_free(shared, NULL); // RACE!
		break;
	case 5:
		devm_kfree(NULL, shared); // RACE!
		break;
	case 6:
		devres_free(shared); // RACE!
		break;
	case 7:
		free_percpu(shared); // RACE!
		break;
	case 8:
		free_pages((unsigned long)shared, 0); // RACE!
		break;
	case 9:
		dma_free_attrs(NULL, 4, shared, 0, 0); // RACE!
		break;
	case 10:
		dma_pool_free(NULL, shared, 0); // RACE!
		break;
	case 11:
		usb_free_coherent(NULL, 4, shared, 0); // RACE!
		break;
	case 12:
		krealloc(shared, 8, GFP_KERNEL); // RACE!
		break;
	case 13:
		devm_krealloc(NULL, shared, 8, GFP_KERNEL); // RACE!
		break;
	}
	return 0;
}

static int demo_objects(struct file *file, loff_t start, loff_t end, int cmd)
{
	switch (cmd) {
	case 0:
		release_firmware(firmware); // RACE!
		break;
	case 1:
		usb_free_urb(urb); // RACE!
		break;
	case 2:
		input_free_device(input); // RACE!
		break;
	case 3:
		free_netdev(net); // RACE!
		break;
	case 4:
		kfree_skb(skb); // RACE!
		break;
	}
	return 0;
}

static long demo_own(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	switch (cmd) {
	case 0:
		kvfree(item); // NORACE
		break;
	case 1:
		vfree(item); // NORACE
		break;
	case 2:
		kmem_cache_free(NULL, item); // NORACE
		break;
	case 3:
		mempool_free(item, NULL); // NORACE
		break;
	case 4:
		devm_kfree(NULL, item); // NORACE
		break;
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_shared,
	.compat_ioctl = demo_own,
	.fsync = demo_objects,
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
