/* Who drops or ends an item of configfs does not run beside the item's files, nor the module's exit beside an open one. */
// verdict: race-free
// assume: call-owned
#include <linux/module.h>
#include <linux/container_of.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>

extern struct module this_module;

struct config_group;

struct config_item {
	char *ci_name;
};

struct configfs_subsystem;

struct config_group {
	struct config_item cg_item;
	struct configfs_subsystem *cg_subsys;
};

struct configfs_subsystem {
	struct config_group su_group;
	struct mutex su_mutex;
};

struct configfs_attribute {
	const char *ca_name;
	struct module *ca_owner;
	ssize_t (*show)(struct config_item *item, char *page);
	ssize_t (*store)(struct config_item *item, const char *page, size_t count);
};

struct configfs_bin_attribute {
	struct configfs_attribute cb_attr;
	ssize_t (*read)(struct config_item *item, void *data, size_t n);
	ssize_t (*write)(struct config_item *item, const void *data, size_t n);
};

struct configfs_item_operations {
	void (*release)(struct config_item *item);
};

struct configfs_group_operations {
	struct config_item *(*make_item)(struct config_group *group, const char *name);
	void (*disconnect_notify)(struct config_group *group, struct config_item *item);
	void (*drop_item)(struct config_group *group, struct config_item *item);
};

struct demo {
	struct config_item item;
	int level, users;
	char first;
};

/* A group, and how many items are in it. */
struct demo_set {
	struct config_group group;
	int made;
};

static int ever;
static char raw[4];

static ssize_t level_show(struct config_item *item, char *page)
{
	struct demo *demo = container_of(item, struct demo, item);

	page[0] = demo->level + ever; // NORACE
	return 1;
}
static struct configfs_attribute level_attr = {
	.ca_name = "level",
	.ca_owner = &this_module,
	.show = level_show,
};

static ssize_t raw_read(struct config_item *item, void *data, size_t n)
{
	struct demo *demo = container_of(item, struct demo, item);

	return demo->users + raw[0]; // NORACE
}
static struct configfs_bin_attribute raw_attr = {
	.cb_attr = {
		.ca_name = "raw",
		.ca_owner = &this_module,
	},
	.read = raw_read,
};
struct configfs_attribute *demo_attrs[] = { &level_attr, NULL };
struct configfs_bin_attribute *demo_bin_attrs[] = { &raw_attr, NULL };

static void demo_release(struct config_item *item)
{
	struct demo *demo = container_of(item, struct demo, item);

	demo->level = 0; // NORACE
	kfree(demo); // NORACE
}
struct configfs_item_operations demo_item_ops = {
	.release = demo_release,
};

static struct config_item *demo_make(struct config_group *group, const char *name)
{
	struct demo_set *set = container_of(group, struct demo_set, group);
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return ERR_PTR(-ENOMEM);
	demo->first = name[0]; // NORACE
	set->made++; // NORACE
	return &demo->item;
}

static void demo_notify(struct config_group *group, struct config_item *item)
{
	struct demo_set *set = container_of(group, struct demo_set, group);

	set->made--; // NORACE
}

static void demo_drop(struct config_group *group, struct config_item *item)
{
	struct demo *demo = container_of(item, struct demo, item);

	demo->users = 0; // NORACE
}
struct configfs_group_operations demo_group_ops = {
	.make_item = demo_make,
	.disconnect_notify = demo_notify,
	.drop_item = demo_drop,
};

static void __exit demo_exit(void)
{
	ever = 0; // NORACE
}
module_exit(demo_exit);
