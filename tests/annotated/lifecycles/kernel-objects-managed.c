/* What others have made for a device ends with its driver, after an interrupt that was asked for later. */
#include "kernel-objects.h"

struct demo {
	int irq;
	dma_addr_t address;
	struct input_dev *input;
	struct power_supply *supply;
	struct thermal_zone_device *zone;
	struct extcon_dev *edev;
	struct regmap *map;
	struct dma_pool *pool;
	struct regulator *regulator;
	struct rtc_device *rtc;
};

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	if (READ_ONCE(demo->input))
		input_event(READ_ONCE(demo->input), 1, 116, 1); // NORACE
	if (READ_ONCE(demo->supply))
		power_supply_changed(READ_ONCE(demo->supply)); // NORACE
	if (READ_ONCE(demo->zone))
		thermal_zone_device_update(READ_ONCE(demo->zone), 0); // NORACE
	if (READ_ONCE(demo->edev))
		extcon_set_state_sync(READ_ONCE(demo->edev), 0, true); // NORACE
	if (READ_ONCE(demo->map))
		regmap_write(READ_ONCE(demo->map), 0, 1); // NORACE
	if (READ_ONCE(demo->pool))
		dma_pool_alloc(READ_ONCE(demo->pool), GFP_ATOMIC, &demo->address); // NORACE
	if (READ_ONCE(demo->regulator))
		regulator_enable(READ_ONCE(demo->regulator)); // NORACE
	if (READ_ONCE(demo->rtc))
		rtc_update_irq(READ_ONCE(demo->rtc), 1, 0); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	WRITE_ONCE(demo->input, devm_input_allocate_device(&pdev->dev)); // NORACE
	WRITE_ONCE(demo->supply, devm_power_supply_register(&pdev->dev, NULL, NULL)); // NORACE
	WRITE_ONCE(demo->zone, devm_thermal_of_zone_register(&pdev->dev, 0, NULL, NULL)); // NORACE
	WRITE_ONCE(demo->edev, devm_extcon_dev_allocate(&pdev->dev, NULL)); // NORACE
	WRITE_ONCE(demo->map, __devm_regmap_init(&pdev->dev, NULL, NULL, NULL, NULL, "demo")); // NORACE
	WRITE_ONCE(demo->pool, dmam_pool_create("demo", &pdev->dev, 64, 0, 0)); // NORACE
	WRITE_ONCE(demo->regulator, devm_regulator_get(&pdev->dev, "vcc")); // NORACE
	WRITE_ONCE(demo->rtc, devm_rtc_device_register(&pdev->dev, "demo", NULL, THIS_MODULE)); // NORACE
	demo->irq = platform_get_irq(pdev, 0);
	if (devm_request_irq(&pdev->dev, demo->irq, demo_irq, 0, "demo", demo))
		return -EIO;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
