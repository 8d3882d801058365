/* A number that leads to the object of another device, as its place in the table says. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/hw_random.h>
#include <linux/slab.h>

int devm_hwrng_register(struct device *dev, struct hwrng *rng);

struct demo {
	unsigned int served;
	unsigned int limit;
	struct hwrng rng;
};

static int demo_read(struct hwrng *rng, void *data, size_t max, bool wait)
{
	struct demo *demo = (struct demo *)rng->priv;

	if (demo->limit) // RACE!
		demo->served++; // RACE!
	return 0;
}

static struct demo *last;

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->limit = 8;
	demo->rng.read = demo_read;
	demo->rng.priv = (unsigned long)(last ? last : demo); // RACE!
	last = demo; // RACE!
	return devm_hwrng_register(&pdev->dev, &demo->rng);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
