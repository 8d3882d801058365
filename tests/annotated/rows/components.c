/* A component is bound and unbound under one mutex, from component_add to component_del. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct component_ops {
	int (*bind)(struct device *dev, struct device *master, void *data);
	void (*unbind)(struct device *dev, struct device *master, void *data);
};
int component_add(struct device *dev, const struct component_ops *ops);
void component_del(struct device *dev, const struct component_ops *ops);

struct demo {
	int bound;
};

static int binds;

static int demo_bind(struct device *dev, struct device *master, void *data)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: a component may be added for another device than that of who adds it

	demo->bound = 1; // NORACE
	binds++; // NORACE
	return 0;
}

static void demo_unbind(struct device *dev, struct device *master, void *data)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: a component may be added for another device than that of who adds it

	demo->bound = 0; // NORACE
	binds--; // NORACE
}

static const struct component_ops demo_ops = { .bind = demo_bind, .unbind = demo_unbind };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->bound = 0; // NORACE
	platform_set_drvdata(pdev, demo); // RACE: a component may be added for another device than that of who adds it
	return component_add(&pdev->dev, &demo_ops);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	component_del(&pdev->dev, &demo_ops);
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
