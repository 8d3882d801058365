/* The driver's own text is printed beside its writer, who takes a mutex. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

int sysfs_emit(char *buf, const char *fmt, ...);
void demo_tell(const char *kind);

struct demo {
	struct mutex mutex;
	unsigned int kind;
	u8 mode;
	char *text;
};

static const char *const kinds[] = { "large", "small" };

static ssize_t kind_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%s\n", kinds[demo->kind & 1]); // NORACE
}
static DEVICE_ATTR_RO(kind);

static ssize_t own_name_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%s\n", attr->attr.name); // NORACE
}
static DEVICE_ATTR_RO(own_name);

static ssize_t text_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	struct demo *demo = dev_get_drvdata(dev);

	mutex_lock(&demo->mutex);
	demo->text[0] = buf[0]; // RACE!
	demo->mode = n; // NORACE
	mutex_unlock(&demo->mutex);
	return n;
}

static ssize_t text_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	ssize_t n;

	n = sysfs_emit(buf, "%s\n", demo->text); // RACE!
	return n;
}
static DEVICE_ATTR_RW(text);

static struct attribute *demo_attrs[] = { &dev_attr_kind.attr, &dev_attr_own_name.attr, &dev_attr_text.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->text = devm_kzalloc(&pdev->dev, 16, GFP_KERNEL);
	if (!demo->text)
		return -ENOMEM;
	demo_tell(kinds[demo->kind & 1]);
	mutex_init(&demo->mutex);
	platform_set_drvdata(pdev, demo);
	return sysfs_create_group(&pdev->dev.kobj, &demo_group);
}

static int demo_remove(struct platform_device *pdev)
{
	sysfs_remove_group(&pdev->dev.kobj, &demo_group);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
