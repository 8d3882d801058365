/* A channel of another driver's device ends with the driver that asked for it, after an interrupt that was asked for later. */
#include <linux/module.h>
#include <linux/err.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct iio_dev;
struct iio_chan_spec { int type, channel; };
struct iio_channel { struct iio_dev *indio_dev; const struct iio_chan_spec *channel; void *data; };
struct iio_channel *devm_iio_channel_get(struct device *dev, const char *name);
int iio_read_channel_raw(struct iio_channel *channel, int *value);
int iio_get_channel_type(struct iio_channel *channel, int *type);

struct demo { struct iio_channel *channel; int irq; };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;
	int value = 0, type = 0;

	iio_read_channel_raw(demo->channel, &value); // NORACE
	iio_get_channel_type(demo->channel, &type); // NORACE
	return demo->channel->channel->type == type ? IRQ_HANDLED : IRQ_NONE; // NORACE
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->channel = devm_iio_channel_get(&pdev->dev, "volt"); // NORACE
	if (IS_ERR(demo->channel))
		return -EIO;
	demo->irq = platform_get_irq(pdev, 0);
	return devm_request_irq(&pdev->dev, demo->irq, demo_irq, 0, "demo", demo);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
