/* A work, for which probe waits, lets reports in: who gives back the lock that the kernel holds for another is not seen. */
// verdict: race-free
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/device.h>
#include <linux/semaphore.h>
#include <linux/workqueue.h>

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
int __hid_register_driver(struct hid_driver *driver, struct module *owner, const char *name);

struct demo {
	struct work_struct work;
	struct hid_device *hdev;
};

static int demo_raw_event(struct hid_device *hdev, struct hid_report *report, u8 *data, int size)
{
	hdev->status = size; // MISSED: probe is not over
	return 0;
}

static void demo_work(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, work);

	up(&demo->hdev->driver_input_lock);
}

static int demo_probe(struct hid_device *hdev, const struct hid_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->hdev = hdev;
	INIT_WORK(&demo->work, demo_work);
	schedule_work(&demo->work);
	flush_work(&demo->work);
	hdev->status = 4; // MISSED: reports come already
	return 0;
}

static struct hid_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.raw_event = demo_raw_event,
};

static int __init demo_init(void)
{
	return __hid_register_driver(&demo_driver, THIS_MODULE, "demo");
}
module_init(demo_init);
