/* While its device is registered an IIO driver is asked for values, also twice at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/iio/iio.h>

struct demo {
	int level, reads;
};

static int demo_read(struct iio_dev *indio, struct iio_chan_spec const *chan, int *val, int *val2, long mask)
{
	struct demo *demo = iio_priv(indio); // RACE: who has unregistered the device is not known to have waited for what reads this

	*val = demo->level; // RACE: who has unregistered the device is not known to have waited for what reads this
	demo->reads++; // RACE!
	return 1;
}

static const struct iio_info demo_info = { .read_raw = demo_read };

static int demo_probe(struct platform_device *pdev)
{
	struct iio_dev *indio = devm_iio_device_alloc(&pdev->dev, sizeof(struct demo)); // RACE: who has unregistered the device is not known to have waited for what reads this
	struct demo *demo;

	if (!indio)
		return -ENOMEM;
	demo = iio_priv(indio);
	demo->level = 1; // NORACE
	indio->info = &demo_info;
	platform_set_drvdata(pdev, indio);
	return iio_device_register(indio);
}

static int demo_remove(struct platform_device *pdev)
{
	struct iio_dev *indio = platform_get_drvdata(pdev);
	struct demo *demo = iio_priv(indio);

	iio_device_unregister(indio);
	demo->level = 0; // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
