/* A managed IIO device ends with its private part when its interrupt is over. */
// verdict: race-free
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

	demo->interrupts++; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct iio_dev *indio = devm_iio_device_alloc(&pdev->dev, sizeof(struct demo));
	struct demo *demo;

	if (!indio)
		return -ENOMEM;
	demo = iio_priv(indio);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, indio);
	if (devm_request_irq(&pdev->dev, 7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return devm_iio_device_register(&pdev->dev, indio);
}

static int demo_remove(struct platform_device *pdev)
{
	struct iio_dev *indio = platform_get_drvdata(pdev);

	(void)indio;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
