/* An action frees what it was given, as `void *`: that, and nothing of another type. */
// verdict: race-free
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct table {
	int entries;
};

struct state {
	int level;
};

static DEFINE_MUTEX(lock);
static struct state *state;

static void demo_free(void *data)
{
	mutex_lock(&lock);
	kfree(data); // NORACE
	mutex_unlock(&lock);
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct state *s = READ_ONCE(state);

	return s ? s->level : 0; // NORACE
}
static DEVICE_ATTR_RO(level);

static int demo_probe(struct platform_device *pdev)
{
	struct table *table = kzalloc(sizeof(*table), GFP_KERNEL);
	struct state *s = kzalloc(sizeof(*s), GFP_KERNEL);
	int err;

	if (!table || !s)
		return -ENOMEM;
	err = devm_add_action(&pdev->dev, demo_free, table);
	if (err)
		return err;
	WRITE_ONCE(state, s);
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
