/* The same, but what was handed out is used without its lock; and what somebody else may have put there is taken for what the
   function itself would have. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>

struct item { struct mutex lock; int uses, last_of_one, first, second, third, fourth; };
struct item items[2] = { { .lock = __MUTEX_INITIALIZER(items[0].lock) }, { .lock = __MUTEX_INITIALIZER(items[1].lock) } };
void choose(struct item **out);

static int find(unsigned long number, struct item **out)
{
	if (number > 1)
		return -EINVAL;
	*out = &items[0];
	return 0;
}

static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct item *item;
	int err = find(count, &item);

	if (err)
		return err;
	item->uses++; // RACE!
	return count;
}
static DEVICE_ATTR(demo, 0200, NULL, demo_store);

static ssize_t chosen_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct item *item;

	if (count > 3)
		item = &items[0];
	else
		choose(&item);
	mutex_lock(&items[0].lock);
	item->first = buf[0]; // RACE!
	mutex_unlock(&items[0].lock);
	return count;
}
static DEVICE_ATTR(chosen, 0200, NULL, chosen_store);

/* The other order: first somebody else, then perhaps the function itself. */
static ssize_t corrected_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct item *item;

	choose(&item);
	if (count > 3)
		item = &items[0];
	mutex_lock(&items[0].lock);
	item->second = buf[0]; // RACE!
	mutex_unlock(&items[0].lock);
	return count;
}
static DEVICE_ATTR(corrected, 0200, NULL, corrected_store);

/* In the next round it is what the round before has put there. */
static ssize_t rounds_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct item *item;
	size_t i;

	for (i = 0; i < count; i++) {
		if (!i)
			item = &items[0];
		mutex_lock(&items[0].lock);
		item->third = buf[i]; // RACE!
		mutex_unlock(&items[0].lock);
		item = &items[1];
	}
	return count;
}
static DEVICE_ATTR(rounds, 0200, NULL, rounds_store);

/* Bytes of a struct of which somebody else has filled the others. */
struct found { struct item *one, *other; };
void choose_other(struct item **out);

static ssize_t parts_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct found found;

	if (count > 3) {
		found.one = &items[0];
		found.other = &items[0];
	} else {
		found.one = &items[0];
		choose_other(&found.other);
	}
	mutex_lock(&items[0].lock);
	found.one->last_of_one = buf[0]; // NORACE
	found.other->fourth = buf[0]; // RACE!
	mutex_unlock(&items[0].lock);
	return count;
}
static DEVICE_ATTR(parts, 0200, NULL, parts_store);

static ssize_t second_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	mutex_lock(&items[1].lock);
	items[1].first = buf[0]; // RACE!
	items[1].second = buf[0]; // RACE!
	items[1].third = buf[0]; // RACE!
	items[1].fourth = buf[0]; // RACE!
	mutex_unlock(&items[1].lock);
	return count;
}
static DEVICE_ATTR(second, 0200, NULL, second_store);

static int demo_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;

	return device_create_file(dev, &dev_attr_demo) ?: device_create_file(dev, &dev_attr_chosen)
		?: device_create_file(dev, &dev_attr_corrected) ?: device_create_file(dev, &dev_attr_rounds)
		?: device_create_file(dev, &dev_attr_parts) ?: device_create_file(dev, &dev_attr_second);
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
