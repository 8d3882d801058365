/* A source of random numbers that nobody unregisters, in memory that ends. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/hw_random.h>
#include <linux/slab.h>

int devm_hwrng_register(struct device *dev, struct hwrng *rng);

struct demo {
	struct hwrng rng;
	unsigned int served;
};

static int demo_read(struct hwrng *rng, void *data, size_t max, bool wait)
{
	struct demo *demo = container_of(rng, struct demo, rng);

	demo->served++; // RACE!
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!

	if (!demo)
		return -ENOMEM;
	demo->rng.read = demo_read;
	return hwrng_register(&demo->rng);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
