/* An I2C multiplexer ends with its private part while its interrupt may come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/i2c-mux.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct i2c_mux_core *muxc = i2c_mux_alloc(NULL, &pdev->dev, 1, sizeof(struct demo), 0, NULL, NULL); // RACE!
	struct demo *demo;

	if (!muxc)
		return -ENOMEM;
	demo = i2c_mux_priv(muxc);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, muxc);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct i2c_mux_core *muxc = platform_get_drvdata(pdev);

	(void)muxc;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
