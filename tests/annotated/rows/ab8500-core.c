/* Registers of an AB8500 by its core: values go where the caller says, and his data is not touched. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>

int abx500_get_register_interruptible(struct device *dev, u8 bank, u8 reg, u8 *value);
int abx500_set_register_interruptible(struct device *dev, u8 bank, u8 reg, u8 value);
int abx500_mask_and_set_register_interruptible(struct device *dev, u8 bank, u8 reg, u8 mask, u8 value);
int abx500_get_register_page_interruptible(struct device *dev, u8 bank, u8 first, u8 *values, u8 n);
int abx500_get_chip_id(struct device *dev);
int abx500_startup_irq_enabled(struct device *dev, unsigned int irq);
int abx500_event_registers_startup_state_get(struct device *dev, u8 *event);

struct demo { int n; };
static DEFINE_MUTEX(lock);
static struct demo counted;
static u8 shared, guarded, page[8], event[4];

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u8 own, pages[4];

	abx500_get_register_interruptible(dev, 1, 2, &own); // NORACE
	abx500_get_register_page_interruptible(dev, 1, 2, pages, sizeof(pages)); // NORACE
	mutex_lock(&lock);
	abx500_get_register_interruptible(dev, 1, 2, &guarded); // NORACE
	mutex_unlock(&lock);
	abx500_get_register_interruptible(dev, 1, 2, &shared); // RACE!
	abx500_get_register_page_interruptible(dev, 1, 2, page, sizeof(page)); // RACE!
	abx500_event_registers_startup_state_get(dev, event); // RACE!
	return own + pages[0];
}

static ssize_t value_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	abx500_set_register_interruptible(dev, 1, 2, abx500_get_chip_id(dev)); // NORACE
	abx500_mask_and_set_register_interruptible(dev, 1, 2, 3, 4); // NORACE
	abx500_startup_irq_enabled(dev, 5); // NORACE
	mutex_lock(&lock);
	demo->n += guarded; // NORACE
	mutex_unlock(&lock);
	return shared + // RACE!
	       page[1] + // RACE!
	       event[0]; // RACE!
}
static DEVICE_ATTR_RW(value);

static int demo_probe(struct platform_device *pdev)
{
	platform_set_drvdata(pdev, &counted); // RACE!
	return device_create_file(&pdev->dev, &dev_attr_value);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
