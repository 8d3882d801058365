/* Behind the last element the index begins again: attributes are made once more when all are removed. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct demo {
	spinlock_t lock;
	int value;
};

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev->driver_data; // RACE: nobody removes them, so that they may be there from an earlier time
	int value;

	spin_lock(&demo->lock); // RACE!
	value = demo->value; // RACE!
	spin_unlock(&demo->lock);
	return value;
}

static struct device_attribute demo_attrs[3] = {
	__ATTR(one, 0444, value_show, NULL),
	__ATTR(two, 0444, value_show, NULL),
	__ATTR(three, 0444, value_show, NULL),
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!
	int i, err;

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	pdev->dev.driver_data = demo; // RACE: see above
	for (i = 0; i < pdev->id; i++) {
		err = device_create_file(&pdev->dev, &demo_attrs[i]);
		if (err)
			goto fail;
	}
	return 0;
fail:
	for (i = 0; i < 3; i++)
		device_remove_file(&pdev->dev, &demo_attrs[i]);
	return err;
}

static int demo_remove(struct platform_device *pdev)
{
	int i;

	for (i = 0; i < 3; i++)
		device_remove_file(&pdev->dev, &demo_attrs[i]);
	for (i = 0; i < pdev->id; i++) {
		int k = i & 7;

		if (k < 3 && i >= 8)
			device_create_file(&pdev->dev, &demo_attrs[k]);
	}
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
