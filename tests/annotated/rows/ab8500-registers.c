/* Registers of an AB8500 by the functions of its core: values go where the caller says. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include "ab8500-registers.h"

extern const struct abx500_ops *demo_ops(void);

struct demo { int n; };
static DEFINE_MUTEX(lock);
static u8 shared, guarded, page[8], sent[8], event[4];
static struct demo counted;

static ssize_t value_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u8 own, pages[4];

	demo_ops()->get_register(dev, 1, 2, &own); // NORACE
	demo_ops()->get_register_page(dev, 1, 2, pages, sizeof(pages)); // NORACE
	mutex_lock(&lock);
	demo_ops()->get_register(dev, 1, 2, &guarded); // NORACE
	mutex_unlock(&lock);
	demo_ops()->get_register(dev, 1, 2, &shared); // RACE!
	demo_ops()->get_register_page(dev, 1, 2, page, sizeof(page)); // RACE!
	demo_ops()->set_register_page(dev, 1, 2, sent, sizeof(sent)); // RACE!
	demo_ops()->event_registers_startup_state_get(dev, event); // RACE!
	return own + pages[0];
}

static ssize_t value_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE!

	demo_ops()->set_register(dev, 1, 2, demo_ops()->get_chip_id(dev)); // NORACE
	demo_ops()->mask_and_set_register(dev, 1, 2, 3, 4); // NORACE
	demo_ops()->startup_irq_enabled(dev, 5); // NORACE
	demo_ops()->dump_all_banks(dev); // NORACE
	mutex_lock(&lock);
	demo->n++; // NORACE
	guarded = 1; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(sent[0], 1); // RACE!
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
