/* The buffer that an nvmem device reads into is that of the call; where it comes from is everybody's. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

typedef int (*nvmem_reg_read_t)(void *priv, unsigned int offset, void *val, size_t bytes);
typedef int (*nvmem_reg_write_t)(void *priv, unsigned int offset, void *val, size_t bytes);

struct nvmem_config {
	struct device *dev;
	const char *name;
	nvmem_reg_read_t reg_read;
	nvmem_reg_write_t reg_write;
	int size;
	void *priv;
};

void __iomem *devm_platform_ioremap_resource(struct platform_device *pdev, unsigned int index);
void *devm_nvmem_register(struct device *dev, const struct nvmem_config *config);

struct demo {
	void __iomem *ioaddr;
	unsigned int served;
};

static u8 last[16];

static int demo_nvram_read(void *priv, unsigned int offset, void *val, size_t bytes)
{
	struct demo *demo = priv;
	u8 *buf = val;

	while (bytes--)
		*buf++ = readb(demo->ioaddr + offset++); // NORACE
	demo->served++; // RACE!
	return 0;
}

static int demo_nvram_write(void *priv, unsigned int offset, void *val, size_t bytes)
{
	struct demo *demo = priv;
	u8 *buf = val;

	last[offset & 15] = *buf; // RACE!
	while (bytes--)
		writeb(*buf++, demo->ioaddr + offset++); // NORACE
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct nvmem_config config = {
		.dev = &pdev->dev,
		.name = "demo",
		.size = 16,
		.reg_read = demo_nvram_read,
		.reg_write = demo_nvram_write,
	};
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->ioaddr = devm_platform_ioremap_resource(pdev, 0);
	config.priv = demo;
	devm_nvmem_register(&pdev->dev, &config);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
