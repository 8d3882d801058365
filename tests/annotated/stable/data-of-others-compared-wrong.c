/* The parent may be bound to this driver: it asks whether the data are its own. */
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/device.h>

struct chip { int id; }; struct demo { int id; struct chip *chip; };
static noinline void log(struct chip *c) { READ_ONCE(c->id); }
static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	void *p = pdev->dev.parent->driver_data; // RACE!
	if (!demo)
		return -ENOMEM;
	if (pdev->id) log(p);
	if (p != demo) WRITE_ONCE(demo->id, 4);
	pdev->dev.driver_data = demo; // RACE!
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
