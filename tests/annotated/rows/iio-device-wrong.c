/* An IIO device ends with its private part while its interrupt may come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/iio/iio.h>

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
	struct iio_dev *indio = iio_device_alloc(&pdev->dev, sizeof(struct demo));
	struct demo *demo;

	if (!indio)
		return -ENOMEM;
	demo = iio_priv(indio);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, indio);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return iio_device_register(indio);
}

static int demo_remove(struct platform_device *pdev)
{
	struct iio_dev *indio = platform_get_drvdata(pdev);

	iio_device_unregister(indio);
	iio_device_free(indio); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
