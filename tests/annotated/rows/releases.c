/* Objects that end with their last reference, attributes of buses, ends of requests: no lock, and nobody else's buffer. */
// verdict: potential
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/kobject.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct device_type { const char *name; void (*release)(struct device *dev); };
struct class { const char *name; void (*dev_release)(struct device *dev); };
struct kobj_type { void (*release)(struct kobject *kobj); };
struct config_item { char *ci_name; };
struct configfs_item_operations { void (*release)(struct config_item *item); };
struct bus_type;
struct bus_attribute {
	const char *name;
	ssize_t (*show)(struct bus_type *bus, char *buf);
	ssize_t (*store)(struct bus_type *bus, const char *buf, size_t count);
};
struct demo { struct kiocb iocb; int asked; };

static DEFINE_MUTEX(lock);
static int devices, classes, objects, items, requests, guarded;
static char letter;

static void demo_release(struct device *dev)
{
	devices++; // RACE!
	mutex_lock(&lock);
	guarded++; // NORACE
	mutex_unlock(&lock);
}

static void demo_dev_release(struct device *dev)
{
	classes++; // RACE!
}

static void demo_object(struct kobject *kobj)
{
	objects++; // RACE!
}

static void demo_item(struct config_item *item)
{
	items++; // RACE!
}

static void demo_complete(struct kiocb *iocb, long result)
{
	struct demo *of = container_of(iocb, struct demo, iocb);

	of->asked = result; // RACE!
	requests++; // RACE!
}

static ssize_t demo_show(struct bus_type *bus, char *buf)
{
	buf[0] = letter; // RACE!
	buf[1] = 0; // NORACE
	return 1;
}

static ssize_t demo_store(struct bus_type *bus, const char *buf, size_t count)
{
	mutex_lock(&lock);
	letter = buf[0]; // RACE!
	guarded++; // NORACE
	mutex_unlock(&lock);
	return count;
}

struct device_type demo_type = { .name = "demo", .release = demo_release };
struct class demo_class = { .name = "demo", .dev_release = demo_dev_release };
struct kobj_type demo_ktype = { .release = demo_object };
struct configfs_item_operations demo_item_ops = { .release = demo_item };
struct bus_attribute demo_attr = { .name = "demo", .show = demo_show, .store = demo_store };

void demo_submit(struct demo *demo)
{
	demo->iocb.ki_complete = demo_complete; // RACE!
}
EXPORT_SYMBOL(demo_submit);
