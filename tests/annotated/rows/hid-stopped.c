/* hid_hw_stop clears what the device is claimed by, and the list of its inputs. A work item that still runs then is in a
   race; one that is cancelled before is not, which is not seen: its device might be another's. */
// verdict: potential
#include <linux/hid.h>
#include <linux/input.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

void hid_hw_stop(struct hid_device *hdev);

struct demo { struct hid_device *hdev; struct work_struct late, early; int on; };

static void demo_report(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, late);
	struct hid_input *input;

	if (!(demo->hdev->claimed & 1)) // RACE!
		return;
	input = list_first_entry(&demo->hdev->inputs, struct hid_input, list); // RACE!
	input_event(input->input, 1, 28, 1);
}

static void demo_report_early(struct work_struct *work)
{
	struct demo *demo = container_of(work, struct demo, early);

	demo->on = demo->hdev->claimed; // RACE: who stops the device waits for that work
}

static int demo_probe(struct hid_device *hdev, const struct hid_device_id *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->hdev = hdev;
	INIT_WORK(&demo->late, demo_report);
	INIT_WORK(&demo->early, demo_report_early);
	hdev->dev.driver_data = demo;
	schedule_work(&demo->late);
	schedule_work(&demo->early);
	return 0;
}

static void demo_remove(struct hid_device *hdev)
{
	struct demo *demo = hdev->dev.driver_data;

	cancel_work_sync(&demo->early);
	hid_hw_stop(hdev); // RACE!
	cancel_work_sync(&demo->late);
	kfree(demo);
}

static struct hid_driver demo_driver = { .name = "demo", .probe = demo_probe, .remove = demo_remove };
module_hid_driver(demo_driver);
