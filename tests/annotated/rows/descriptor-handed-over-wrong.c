/* The descriptor is the call's own only until the driver keeps it. */
// verdict: potential
#include <linux/device.h>
#include <linux/hid.h>
#include <linux/module.h>

static unsigned char *kept;

static ssize_t first_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return kept ? kept[11] : 0; // RACE!
}
static DEVICE_ATTR_RO(first);

static int demo_probe(struct hid_device *hdev, const struct hid_device_id *id)
{
	return device_create_file(&hdev->dev, &dev_attr_first);
}

static void demo_remove(struct hid_device *hdev)
{
	device_remove_file(&hdev->dev, &dev_attr_first);
}

static unsigned char *demo_fixup(struct hid_device *hdev, unsigned char *buf, unsigned int *size)
{
	kept = buf; // RACE!
	if (*size > 12)
		buf[11] = 0x25; // RACE!
	return buf;
}

static struct hid_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.remove = demo_remove,
	.report_fixup = demo_fixup,
};
module_hid_driver(demo_driver);
MODULE_LICENSE("GPL");
