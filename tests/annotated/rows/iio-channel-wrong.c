/* A channel ends before the interrupt that reads it, and the name by which it is asked for changes meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct iio_dev;
struct iio_chan_spec { int type, channel; };
struct iio_channel { struct iio_dev *indio_dev; const struct iio_chan_spec *channel; void *data; };
struct iio_channel *iio_channel_get(struct device *dev, const char *name);
struct iio_channel *devm_iio_channel_get(struct device *dev, const char *name);
void iio_channel_release(struct iio_channel *channel);
int iio_read_channel_processed(struct iio_channel *channel, int *value);
int iio_get_channel_type(struct iio_channel *channel, int *type);
int iio_convert_raw_to_processed(struct iio_channel *channel, int raw, int *processed, unsigned int scale);

struct demo { struct iio_channel *channel, *own; int irq, value; char name[8], other[8]; };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->name[0] = 'x'; // RACE!
	demo->other[0] = 'x'; // RACE!
	if (!READ_ONCE(demo->channel) || !READ_ONCE(demo->own))
		return IRQ_NONE;
	iio_read_channel_processed(READ_ONCE(demo->channel), &demo->value); // RACE!
	iio_get_channel_type(READ_ONCE(demo->own), &demo->value); // RACE!
	iio_convert_raw_to_processed(READ_ONCE(demo->own), irq, &demo->value, 1); // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->irq = platform_get_irq(pdev, 0);
	if (devm_request_irq(&pdev->dev, demo->irq, demo_irq, 0, "demo", demo))
		return -EIO;
	WRITE_ONCE(demo->channel, devm_iio_channel_get(&pdev->dev, demo->name)); // RACE!
	WRITE_ONCE(demo->own, iio_channel_get(&pdev->dev, demo->other)); // RACE!
	platform_set_drvdata(pdev, demo);
	return demo->value; // RACE!
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	iio_channel_release(demo->own); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
