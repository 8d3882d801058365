/* While a HID driver is bound or unbound it gets no reports. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/semaphore.h>

struct hid_device {
	struct device dev;
	struct semaphore driver_input_lock;
	unsigned long status;
	unsigned int claimed;
};
struct hid_report;
struct hid_device_id;
struct hid_driver {
	char *name;
	const struct hid_device_id *id_table;
	int (*probe)(struct hid_device *hdev, const struct hid_device_id *id);
	void (*remove)(struct hid_device *hdev);
	int (*raw_event)(struct hid_device *hdev, struct hid_report *report, u8 *data, int size);
};
int hid_open_report(struct hid_device *hdev);
int hid_hw_start(struct hid_device *hdev, unsigned int mask);
int __hid_register_driver(struct hid_driver *driver, struct module *owner, const char *name);

struct demo {
	int last;
};

static int demo_raw_event(struct hid_device *hdev, struct hid_report *report, u8 *data, int size)
{
	struct demo *demo = hdev->dev.driver_data; // NORACE

	demo->last = size; // NORACE
	return 0;
}

static int demo_probe(struct hid_device *hdev, const struct hid_device_id *id)
{
	struct demo *demo = devm_kzalloc(&hdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	hdev->dev.driver_data = demo; // NORACE
	if (hid_open_report(hdev)) // NORACE
		return -EINVAL;
	return hid_hw_start(hdev, 1); // NORACE
}

static void demo_remove(struct hid_device *hdev)
{
	struct demo *demo = hdev->dev.driver_data; // NORACE

	demo->last = 0; // NORACE
}

static struct hid_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.remove = demo_remove,
	.raw_event = demo_raw_event,
};

static int __init demo_init(void)
{
	return __hid_register_driver(&demo_driver, THIS_MODULE, "demo");
}
module_init(demo_init);
