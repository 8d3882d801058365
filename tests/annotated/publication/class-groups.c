/* What init sets before it registers the class. */
#include <linux/module.h>
#include <linux/workqueue.h>
#include <linux/device.h>

struct class_attribute {
	struct attribute attr;
	ssize_t (*show)(struct class *c, struct class_attribute *a, char *buf);
	ssize_t (*store)(struct class *c, struct class_attribute *a, const char *buf, size_t n);
};
struct class { const char *name; struct module *owner; const struct attribute_group **class_groups; };
int __class_register(struct class *c, struct lock_class_key *key);

static int limit, runs;
static ssize_t go_show(struct class *c, struct class_attribute *a, char *buf)
{
	return limit; // NORACE
}
static struct class_attribute class_attr_go = { .attr = { .name = "go", .mode = 0444 }, .show = go_show };
static struct attribute *demo_attrs[] = { &class_attr_go.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };
static struct class demo_class = { .name = "demo", .class_groups = demo_groups };

static int __init demo_init(void)
{
	limit = 3; // NORACE
	return __class_register(&demo_class, NULL);
}
module_init(demo_init);
