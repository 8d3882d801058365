/* An IIO device ends with its private part when its interrupt is over. */
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

	demo->interrupts++; // RACE: that the interrupt is over is known of what a struct of the module has alone
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
	struct demo *demo = iio_priv(indio);

	iio_device_unregister(indio);
	free_irq(7, demo);
	iio_device_free(indio); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
