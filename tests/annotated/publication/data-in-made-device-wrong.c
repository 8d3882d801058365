/* The module makes a platform device of its own, by way of the device in it. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
/* A child is made as bytes: the driver binds to it like to its parent, and both free what they share. */
struct demo { int state; };
static void *demo_room(size_t before, size_t size) { return kzalloc(before + size, GFP_KERNEL); }
static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	char *room = demo_room(0, sizeof(struct platform_device));
	struct device *dev = (struct device *)(room + offsetof(struct platform_device, dev));

	if (!demo || !room)
		return -ENOMEM;
	dev_set_drvdata(dev, demo);
	platform_set_drvdata(pdev, demo);
	return platform_device_add(container_of(dev, struct platform_device, dev));
}
static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->state = 0; // RACE!
	kfree(demo); // RACE!
	return 0;
}
static struct platform_driver demo_driver = {
	.probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
