/* What allocates gives an object that nobody else has, until a pointer to it is in shared memory. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

#undef kcalloc
#undef kmalloc_array
void *kmalloc_trace(void *cache, gfp_t flags, size_t size);
void *kvzalloc(size_t size, gfp_t flags);
void *kcalloc(size_t n, size_t size, gfp_t flags);
void *kmalloc_array(size_t n, size_t size, gfp_t flags);
void *krealloc(const void *old, size_t size, gfp_t flags);
char *kstrdup(const char *text, gfp_t flags);
char *kasprintf(gfp_t flags, const char *fmt, ...);
void *memdup_user(const void __user *user, size_t len);
void *vmalloc(unsigned long size);
void *vzalloc(unsigned long size);
void *kmem_cache_alloc(void *cache, gfp_t flags);
void *kmem_cache_zalloc(void *cache, gfp_t flags);
void *mempool_alloc(void *pool, gfp_t flags);
void *devm_kmalloc(struct device *dev, size_t size, gfp_t flags);
void *devm_kcalloc(struct device *dev, size_t n, size_t size, gfp_t flags);
void *devm_kmemdup(struct device *dev, const void *src, size_t len, gfp_t flags);
void *__devres_alloc_node(void *release, size_t size, gfp_t flags, int node, const char *name);
void *__alloc_percpu(size_t size, size_t align);
unsigned long __get_free_pages(gfp_t flags, unsigned int order);
void *dma_alloc_attrs(struct device *dev, size_t size, dma_addr_t *handle, gfp_t flags, unsigned long attrs);
void *dma_pool_alloc(void *pool, gfp_t flags, dma_addr_t *handle);

struct item {
	int early, late, dup;
};
static struct item *volatile shared;
static struct item template;
static char text[8];

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct item *item = shared;

	return item->early + item->late; // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	template.dup = 1; // RACE!
	text[0] = 1; // RACE!
	return n;
}

static struct item *allocate(unsigned int cmd, dma_addr_t *handle)
{
	const size_t n = sizeof(struct item);

	switch (cmd) {
	case 0:
		return kmalloc_trace(NULL, GFP_KERNEL, n);
	case 1:
		return kvzalloc(n, GFP_KERNEL);
	case 2:
		return kcalloc(1, n, GFP_KERNEL);
	case 3:
		return kmalloc_array(1, n, GFP_KERNEL);
	case 4:
		return krealloc(NULL, n, GFP_KERNEL);
	case 5:
		return vmalloc(n);
	case 6:
		return vzalloc(n);
	case 7:
		return kmem_cache_alloc(NULL, GFP_KERNEL);
	case 8:
		return kmem_cache_zalloc(NULL, GFP_KERNEL);
	case 9:
		return mempool_alloc(NULL, GFP_KERNEL);
	case 10:
		return devm_kmalloc(NULL, n, GFP_KERNEL);
	case 11:
		return devm_kcalloc(NULL, 1, n, GFP_KERNEL);
	case 12:
		return devm_kmemdup(NULL, &template, n, GFP_KERNEL); // RACE!
	case 13:
		return __devres_alloc_node(NULL, n, GFP_KERNEL, 0, "demo");
	case 14:
		return __alloc_percpu(n, 8);
	case 15:
		return (struct item *)__get_free_pages(GFP_KERNEL, 0);
	case 16:
		return dma_alloc_attrs(NULL, n, handle, GFP_KERNEL, 0); // RACE!
	case 17:
		return dma_pool_alloc(NULL, GFP_KERNEL, handle); // RACE!
	}
	return kmemdup(&template, n, GFP_KERNEL); // RACE!
}

static dma_addr_t common_handle;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item = allocate(cmd, &common_handle);

	if (!item)
		return -ENOMEM;
	item->early = 1; // NORACE
	shared = item;
	item->late = 1; // RACE!
	return 0;
}

static long demo_text(struct file *file, unsigned int cmd, unsigned long arg)
{
	char *copy;

	switch (cmd) {
	case 0:
		copy = kstrdup(text, GFP_KERNEL); // RACE!
		break;
	case 1:
		copy = kasprintf(GFP_KERNEL, "%d", 1);
		break;
	default:
		copy = memdup_user((void *)arg, 8);
		if (IS_ERR(copy))
			return -EFAULT;
		break;
	}
	if (!copy)
		return -ENOMEM;
	copy[0] = 1; // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
	.compat_ioctl = demo_text,
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
