/* The page that an attribute of configfs is shown in or stored from belongs to the open file, under its mutex. */
// verdict: race-free
// assume: call-owned
#include <linux/module.h>
#include <linux/mutex.h>

struct config_item {
	char *ci_name;
};

struct configfs_attribute {
	const char *ca_name;
	ssize_t (*show)(struct config_item *item, char *page);
	ssize_t (*store)(struct config_item *item, const char *page, size_t count);
};

static DEFINE_MUTEX(lock);
static char level;

static ssize_t level_show(struct config_item *item, char *page)
{
	mutex_lock(&lock);
	page[0] = level; // NORACE
	mutex_unlock(&lock);
	return 1;
}

static ssize_t level_store(struct config_item *item, const char *page, size_t count)
{
	mutex_lock(&lock);
	level = page[0]; // NORACE
	mutex_unlock(&lock);
	return count;
}

static struct configfs_attribute level_attr = {
	.ca_name = "level",
	.show = level_show,
	.store = level_store,
};
struct configfs_attribute *demo_attrs[] = { &level_attr, NULL };
