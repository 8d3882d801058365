/* Ceph calls back for each extent before the call is over, with the caller's locks. */
// verdict: race-free
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct ceph_file_layout { u32 unit, count, size; };
struct ceph_object_extent { struct list_head oe_item; u64 oe_objno; };
typedef void (*ceph_extent_fn)(struct ceph_object_extent *extent, u32 n, void *data);
int ceph_file_to_extents(struct ceph_file_layout *layout, u64 offset, u64 n, struct list_head *list,
			 struct ceph_object_extent *(*alloc)(void *data), void *alloc_data, ceph_extent_fn action, void *data);
int ceph_iterate_extents(struct ceph_file_layout *layout, u64 offset, u64 n, struct list_head *list, ceph_extent_fn action, void *data);

static DEFINE_MUTEX(lock);
static struct ceph_file_layout layout;
struct extent { struct ceph_object_extent ex; int steps; };
static struct fill { struct list_head list; int mine; } fill;

static struct ceph_object_extent *demo_alloc(void *data)
{
	struct fill *of = data;
	struct extent *extent = kzalloc(sizeof(*extent), GFP_KERNEL);

	of->mine++; // NORACE
	return extent ? &extent->ex : NULL;
}

static void demo_fill(struct ceph_object_extent *ex, u32 n, void *data)
{
	struct extent *extent = container_of(ex, struct extent, ex);
	struct fill *of = data;

	of->mine++; // NORACE
	extent->steps++; // NORACE
}

static ssize_t extents_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	mutex_lock(&lock);
	ceph_file_to_extents(&layout, 0, 4, &fill.list, demo_alloc, &fill, demo_fill, &fill); // NORACE
	ceph_iterate_extents(&layout, 0, 4, &fill.list, demo_fill, &fill); // NORACE
	mutex_unlock(&lock);
	return 0;
}
static DEVICE_ATTR_RO(extents);

static int demo_probe(struct platform_device *pdev)
{
	return device_create_file(&pdev->dev, &dev_attr_extents);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
