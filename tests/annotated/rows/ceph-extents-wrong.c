/* Ceph calls back for each extent before the call is over: the caller has no lock. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct ceph_file_layout { u32 unit, count, size; };
struct ceph_object_extent { struct list_head oe_item; u64 oe_objno; };
typedef void (*ceph_extent_fn)(struct ceph_object_extent *extent, u32 n, void *data);
int ceph_file_to_extents(struct ceph_file_layout *layout, u64 offset, u64 n, struct list_head *list,
			 struct ceph_object_extent *(*alloc)(void *data), void *alloc_data, ceph_extent_fn action, void *data);
int ceph_iterate_extents(struct ceph_file_layout *layout, u64 offset, u64 n, struct list_head *list, ceph_extent_fn action, void *data);

static struct ceph_file_layout layout;
struct wrong_extent { struct ceph_object_extent ex; int steps; };
static struct wrong_fill { struct list_head list; int filled; } wrong;

static struct ceph_object_extent *demo_alloc_wrong(void *data)
{
	struct wrong_extent *extent = kzalloc(sizeof(*extent), GFP_KERNEL);

	return extent ? &extent->ex : NULL;
}

static void demo_walk_wrong(struct ceph_object_extent *ex, u32 n, void *data)
{
	struct wrong_extent *extent = container_of(ex, struct wrong_extent, ex);
	struct wrong_fill *of = data;

	of->filled++; // RACE!
	extent->steps++; // RACE!
	ex->oe_objno++; // RACE!
}

static ssize_t wrong_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	ceph_iterate_extents(&layout, 0, 4, &wrong.list, demo_walk_wrong, &wrong); // RACE!
	return ceph_file_to_extents(&layout, 0, 4, &wrong.list, demo_alloc_wrong, NULL, NULL, NULL); // RACE!
}
static DEVICE_ATTR_RO(wrong);

static int demo_probe(struct platform_device *pdev)
{
	return device_create_file(&pdev->dev, &dev_attr_wrong);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
