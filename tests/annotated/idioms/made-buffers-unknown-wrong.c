/* Another function gives a request the buffer of the other one, and nobody knows which request that is. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct demo {
	struct urb *in, *out;
	unsigned char *in_buffer, *out_buffer;
};

static DEFINE_MUTEX(in_lock);
static DEFINE_MUTEX(out_lock);

static void demo_done(struct urb *urb)
{
}

static ssize_t in_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	unsigned char *data;

	mutex_lock(&in_lock);
	data = demo->in_buffer;
	data[0] = 1; // RACE!
	mutex_unlock(&in_lock);
	return 0;
}
static DEVICE_ATTR_RO(in);

static ssize_t out_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	unsigned char *data;

	mutex_lock(&out_lock);
	data = demo->out->transfer_buffer;
	data[0] = 2; // RACE!
	demo->out_buffer[1] = 3;
	mutex_unlock(&out_lock);
	return 0;
}
static DEVICE_ATTR_RO(out);

static int demo_suspend(struct platform_device *pdev, int state)
{
	struct demo *demo = platform_get_drvdata(pdev);
	struct urb *urb = pdev->dev.platform_data;

	mutex_lock(&in_lock);
	mutex_lock(&out_lock);
	urb->transfer_buffer = demo->in_buffer;
	mutex_unlock(&out_lock);
	mutex_unlock(&in_lock);
	return 0;
}

static struct urb *demo_setup(struct demo *demo, unsigned char *buffer)
{
	struct urb *urb = usb_alloc_urb(0, GFP_KERNEL);

	if (urb)
		usb_fill_int_urb(urb, NULL, 0, buffer, 8, demo_done, demo);
	return urb;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int ret;

	if (!demo)
		return -ENOMEM;
	demo->in_buffer = kzalloc(8, GFP_KERNEL);
	demo->out_buffer = kzalloc(8, GFP_KERNEL);
	if (!demo->in_buffer || !demo->out_buffer)
		return -ENOMEM;
	demo->in = demo_setup(demo, demo->in_buffer);
	demo->out = demo_setup(demo, demo->out_buffer);
	if (!demo->in || !demo->out)
		return -ENOMEM;
	pdev->dev.platform_data = demo->out;
	platform_set_drvdata(pdev, demo);
	ret = device_create_file(&pdev->dev, &dev_attr_in);
	if (ret)
		return ret;
	ret = device_create_file(&pdev->dev, &dev_attr_out);
	if (ret)
		device_remove_file(&pdev->dev, &dev_attr_in);
	return ret;
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_in);
	device_remove_file(&pdev->dev, &dev_attr_out);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.suspend = demo_suspend,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
