/* Who has the device open still reads when it is unregistered, and the memory ends. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

typedef int (*nvmem_reg_read_t)(void *priv, unsigned int offset, void *val, size_t bytes);

struct nvmem_config {
	const char *name;
	nvmem_reg_read_t reg_read;
	int size;
	void *priv;
};

void *devm_nvmem_register(struct device *dev, const struct nvmem_config *config);

struct demo {
	struct mutex lock;
	int *cache;
};

static int demo_read(void *priv, unsigned int offset, void *val, size_t bytes)
{
	struct demo *demo = priv;

	mutex_lock(&demo->lock); // RACE!
	if (demo->cache) // RACE!
		demo->cache[0] = offset; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct nvmem_config config = { .name = "demo", .size = 16, .reg_read = demo_read };
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL); // RACE!
	int *cache;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	config.priv = demo;
	cache = devm_kzalloc(&pdev->dev, 64, GFP_KERNEL); // RACE!
	demo->cache = cache;
	devm_nvmem_register(&pdev->dev, &config);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
