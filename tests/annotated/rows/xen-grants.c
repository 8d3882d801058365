/* Xen's grants: numbers and a cache of pages under its own lock; functions that are called at once, later, or when grants are free. */
// verdict: potential
#include <linux/device.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct page;
struct gnttab_free_callback { struct gnttab_free_callback *next; void (*fn)(void *data); void *arg; unsigned short count; };
struct gnttab_page_cache { spinlock_t lock; struct page *pages; unsigned int num_pages; };
struct gnttab_map_grant_ref { u64 addr; unsigned int flags, ref; short dom, status; };
struct gnttab_unmap_grant_ref { u64 addr, bus; unsigned int handle; short status; };
struct gntab_unmap_queue_data {
	void *data;
	void (*done)(int result, struct gntab_unmap_queue_data *data);
	struct gnttab_unmap_grant_ref *unmap_ops, *kunmap_ops;
	struct page **pages;
	unsigned int count, age;
};
struct xenbus_device { const char *nodename; int otherend_id, state; struct device dev; };
int bind_interdomain_evtchn_to_irqhandler_lateeoi(struct xenbus_device *dev, unsigned int port, irq_handler_t handler,
						  unsigned long flags, const char *name, void *data);
int gnttab_alloc_grant_references(unsigned short n, unsigned int *head);
int gnttab_claim_grant_reference(unsigned int *head);
void gnttab_release_grant_reference(unsigned int *head, unsigned int reference);
void gnttab_foreach_grant_in_range(struct page *page, unsigned int offset, unsigned int n,
				   void (*function)(unsigned long frame, unsigned int offset, unsigned int n, void *data), void *data);
void gnttab_request_free_callback(struct gnttab_free_callback *callback, void (*fn)(void *data), void *data, unsigned short n);
void gnttab_cancel_free_callback(struct gnttab_free_callback *callback);
int gnttab_map_refs(struct gnttab_map_grant_ref *ops, struct gnttab_map_grant_ref *kernel, struct page **pages, unsigned int n);
void gnttab_unmap_refs_async(struct gntab_unmap_queue_data *item);
int gnttab_unmap_refs_sync(struct gntab_unmap_queue_data *item);
int gnttab_page_cache_get(struct gnttab_page_cache *cache, struct page **page);
void gnttab_page_cache_put(struct gnttab_page_cache *cache, struct page **page, unsigned int n);
void gnttab_page_cache_shrink(struct gnttab_page_cache *cache, unsigned int n);
int xenbus_setup_ring(struct xenbus_device *dev, gfp_t gfp, void **ring, unsigned int n, unsigned int *references);
int xenbus_map_ring_valloc(struct xenbus_device *dev, unsigned int *references, unsigned int n, void **ring);
int xenbus_unmap_ring_vfree(struct xenbus_device *dev, void *ring);

struct item { struct gntab_unmap_queue_data unmap; int result, answers; };
static struct item waits;
static DEFINE_MUTEX(lock);
static struct xenbus_device *xdev;
static struct gnttab_page_cache cache;
static struct gnttab_map_grant_ref map, map_wrong;
static struct page *cached, *wanted;
static void *ring, *ring_wrong;
static unsigned int heads, head, references, references_wrong;
static struct { int within, without; } frames;
static struct free { struct gnttab_free_callback callback; int before, freed; } free;
static struct line { int before, count; } line;

static void demo_frame(unsigned long frame, unsigned int offset, unsigned int n, void *data)
{
	int *count = data;

	(*count)++; // NORACE
	frames.within++; // NORACE
	frames.without++; // RACE!
}

static void demo_wrong_frame(unsigned long frame, unsigned int offset, unsigned int n, void *data)
{
	frames.without++; // RACE!
}

static void demo_freed(void *data)
{
	struct free *of = data;

	of->before++; // NORACE
	of->freed++; // RACE!
}

static void demo_unmapped(int result, struct gntab_unmap_queue_data *unmap)
{
	struct item *of = container_of(unmap, struct item, unmap);

	of->answers = result; // RACE!
}

static irqreturn_t demo_irq(int irq, void *data)
{
	struct line *of = data;

	of->before++; // NORACE
	of->count++; // RACE!
	return IRQ_HANDLED;
}

static ssize_t one_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	unsigned int own = 0;
	struct page *page = NULL;
	int count = 0;

	gnttab_alloc_grant_references(1, &own); // NORACE
	gnttab_alloc_grant_references(1, &heads); // RACE!
	gnttab_release_grant_reference(&own, gnttab_claim_grant_reference(&own)); // NORACE
	gnttab_claim_grant_reference(&head); // RACE!
	gnttab_release_grant_reference(&heads, 1); // RACE!
	gnttab_page_cache_get(&cache, &page); // NORACE
	gnttab_page_cache_put(&cache, &page, 1); // NORACE
	gnttab_page_cache_shrink(&cache, 1); // NORACE
	gnttab_page_cache_put(&cache, &wanted, 1); // RACE!
	spin_lock(&cache.lock);
	cached = cache.pages; // NORACE
	spin_unlock(&cache.lock);
	mutex_lock(&lock);
	gnttab_foreach_grant_in_range(page, 0, 4, demo_frame, &count); // NORACE
	gnttab_map_refs(&map, NULL, &page, 1); // NORACE
	xenbus_map_ring_valloc(xdev, &references, 1, &ring); // RACE!
	xenbus_unmap_ring_vfree(xdev, ring); // NORACE
	mutex_unlock(&lock);
	return count + free.freed + line.count; // RACE!
}
static DEVICE_ATTR_RO(one);

static ssize_t other_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct page *page = NULL;

	gnttab_page_cache_get(&cache, &wanted); // RACE!
	gnttab_foreach_grant_in_range(page, 0, 4, demo_wrong_frame, NULL);
	gnttab_map_refs(&map_wrong, NULL, &page, 1); // RACE!
	xenbus_setup_ring(xdev, GFP_KERNEL, &ring_wrong, 1, &references_wrong); // RACE!
	xenbus_unmap_ring_vfree(xdev, ring_wrong); // RACE!
	gnttab_unmap_refs_sync(&waits.unmap); // RACE!
	return 0;
}
static DEVICE_ATTR_RO(other);

static ssize_t rings_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return references_wrong; // RACE!
}
static DEVICE_ATTR_RO(rings);

static int demo_probe(struct platform_device *pdev)
{
	device_create_file(&pdev->dev, &dev_attr_one);
	device_create_file(&pdev->dev, &dev_attr_rings);
	return device_create_file(&pdev->dev, &dev_attr_other);
}
static struct platform_driver demo_driver = { .probe = demo_probe };

static int __init demo_init(void)
{
	struct item *own;

	free.before = 1; // NORACE
	gnttab_request_free_callback(&free.callback, demo_freed, &free, 1); // NORACE
	free.freed = 1; // RACE!
	line.before = 1; // NORACE
	bind_interdomain_evtchn_to_irqhandler_lateeoi(xdev, 2, demo_irq, 0, "line", &line); // NORACE
	line.count = 1; // RACE!
	own = kzalloc(sizeof(*own), GFP_KERNEL);
	if (!own)
		return -ENOMEM;
	own->unmap.done = demo_unmapped;
	own->answers = 1; // NORACE
	gnttab_unmap_refs_async(&own->unmap);
	own->answers = 2; // RACE!
	gnttab_cancel_free_callback(&free.callback); // NORACE
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
