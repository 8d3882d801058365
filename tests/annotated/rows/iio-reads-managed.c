/* A managed IIO device is no longer asked for values when its memory ends, which was asked for first. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/iio/iio.h>

struct demo {
	int level;
};

static int demo_read(struct iio_dev *indio, struct iio_chan_spec const *chan, int *val, int *val2, long mask)
{
	struct demo *demo = iio_priv(indio);

	*val = demo->level; // NORACE
	return 1;
}

static const struct iio_info demo_info = { .read_raw = demo_read };

static int demo_probe(struct platform_device *pdev)
{
	struct iio_dev *indio = devm_iio_device_alloc(&pdev->dev, sizeof(struct demo)); // NORACE
	struct demo *demo;

	if (!indio)
		return -ENOMEM;
	demo = iio_priv(indio);
	demo->level = 1; // NORACE
	indio->info = &demo_info;
	platform_set_drvdata(pdev, indio);
	return devm_iio_device_register(&pdev->dev, indio);
}

static int demo_remove(struct platform_device *pdev)
{
	struct iio_dev *indio = platform_get_drvdata(pdev);
	struct demo *demo = iio_priv(indio);

	(void)demo;
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
