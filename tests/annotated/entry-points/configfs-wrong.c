/* The page belongs to the open file, what is stored from it does not. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>

struct config_item {
	char *ci_name;
};

struct configfs_attribute {
	const char *ca_name;
	ssize_t (*show)(struct config_item *item, char *page);
	ssize_t (*store)(struct config_item *item, const char *page, size_t count);
};

static char level;

static ssize_t level_show(struct config_item *item, char *page)
{
	page[0] = level; // RACE!
	return 1;
}

static ssize_t level_store(struct config_item *item, const char *page, size_t count)
{
	level = page[0]; // RACE!
	return count;
}

static struct configfs_attribute level_attr = {
	.ca_name = "level",
	.show = level_show,
	.store = level_store,
};
struct configfs_attribute *demo_attrs[] = { &level_attr, NULL };
