/* Chips and bridges whose core is another module: what it does to their data, and when their functions run. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <lockpair/chips.h>

struct nct6775_data { int addr, kind; int (*driver_init)(struct nct6775_data *data); };
int nct6775_probe(struct device *dev, struct nct6775_data *data, const void *config);
bool nct6775_reg_is_word_sized(struct nct6775_data *data, u16 reg);

static struct agp_bridge_data bridge;
static int chips;

static int demo_init_chip(struct nct6775_data *data)
{
	data->addr = 1; // NORACE
	chips++; // RACE!
	return nct6775_reg_is_word_sized(data, 1); // NORACE
}

static ssize_t word_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct nct6775_data *data = dev_get_drvdata(dev);

	if (bridge.mode) // RACE: nothing says what the functions of the bridge are that the core calls
		return bridge.key_list != NULL; // RACE!
	return nct6775_reg_is_word_sized(data, 1); // RACE!
}
static DEVICE_ATTR(word, 0444, word_show, NULL);

static ssize_t word_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t n)
{
	struct nct6775_data *data = dev_get_drvdata(dev);

	data->kind = n; // RACE!
	bridge.version = NULL; // RACE!
	return n;
}
static DEVICE_ATTR(kind, 0200, NULL, word_store);

static int demo_probe(struct platform_device *pdev)
{
	struct nct6775_data *data = kzalloc(sizeof(*data), GFP_KERNEL);

	if (!data)
		return -ENOMEM;
	data->driver_init = demo_init_chip; // NORACE
	platform_set_drvdata(pdev, data);
	agp_add_bridge(&bridge); // RACE!
	if (nct6775_probe(&pdev->dev, data, NULL)) // NORACE
		return -EIO;
	if (device_create_file(&pdev->dev, &dev_attr_word))
		return -EIO;
	if (device_create_file(&pdev->dev, &dev_attr_kind)) {
		device_remove_file(&pdev->dev, &dev_attr_word);
		return -EIO;
	}
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_kind);
	device_remove_file(&pdev->dev, &dev_attr_word);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
