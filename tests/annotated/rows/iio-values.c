/* What an IIO device is asked for and told, also of its events, comes several at a time; the values that it fills in are the caller's. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/iio/iio.h>

struct demo {
	int level, writes, asked;
};

static int demo_read(struct iio_dev *indio, struct iio_chan_spec const *chan, int *val, int *val2, long mask)
{
	struct demo *demo = iio_priv(indio);

	*val = demo->level; // NORACE
	return 1;
}

static int demo_avail(struct iio_dev *indio, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask)
{
	static const int levels[] = { 1, 2, 3 };

	*vals = levels; // NORACE
	*type = 1; // NORACE
	*length = 3; // NORACE
	return 0;
}

static int demo_event(struct iio_dev *indio, const struct iio_chan_spec *chan, int type, int dir, int info, int *val, int *val2)
{
	struct demo *demo = iio_priv(indio);

	*val2 = 0; // NORACE
	*val = demo->asked++; // RACE!
	return 1;
}

static int demo_write(struct iio_dev *indio, struct iio_chan_spec const *chan, int val, int val2, long mask)
{
	struct demo *demo = iio_priv(indio);

	demo->writes++; // RACE!
	return 0;
}

static const struct iio_info demo_info = {
	.read_raw = demo_read,
	.read_avail = demo_avail,
	.read_event_value = demo_event,
	.write_raw = demo_write,
};

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
