/* Firmware is an object of who has asked for it, until he gives it back; not where he leaves it to others. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/device.h>

struct firmware {
	size_t size;
	const u8 *data;
	void *priv;
};
int request_firmware(const struct firmware **firmware, const char *name, struct device *dev);
void release_firmware(const struct firmware *firmware);

static const struct firmware *last;

static size_t load_own(struct device *dev)
{
	const struct firmware *own;
	size_t size;

	if (request_firmware(&own, "own", dev))
		return 0;
	size = own->size + own->data[0]; // NORACE
	release_firmware(own); // NORACE
	return size;
}

static size_t load_shared(struct device *dev)
{
	size_t size;

	if (request_firmware(&last, "shared", dev)) // RACE!
		return 0;
	size = last->size; // RACE!
	release_firmware(last); // RACE!
	return size;
}

static int demo_probe(struct platform_device *pdev)
{
	return load_own(&pdev->dev) + load_shared(&pdev->dev) ? 0 : -EINVAL;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
