/* Usages, fields and inputs belong to one device, whose lock is held while they are mapped, and while its driver is bound. */
// verdict: race-free
#include <linux/module.h>
#include <linux/device.h>
#include <linux/hid.h>
#include <linux/list.h>

struct input_dev {
	unsigned long hint;
	int keys;
};

static int demo_mapping(struct hid_device *hdev, struct hid_input *hi, struct hid_field *field,
			struct hid_usage *usage, unsigned long **bit, int *max)
{
	usage->type = 1; // NORACE
	usage->code = usage->hid & 0xff; // NORACE
	field->maxusage++; // NORACE
	hi->input->keys++; // NORACE
	return 0;
}

static int demo_configured(struct hid_device *hdev, struct hid_input *hi)
{
	hi->input->keys++; // NORACE
	return 0;
}

static void demo_feature(struct hid_device *hdev, struct hid_field *field, struct hid_usage *usage)
{
	usage->type = 2; // NORACE
	field->maxusage++; // NORACE
}

static int demo_probe(struct hid_device *hdev, const struct hid_device_id *id)
{
	struct hid_input *hi;
	int error = hid_open_report(hdev);

	if (!error)
		error = hid_hw_start(hdev, 1);
	if (error)
		return error;
	hi = list_first_entry(&hdev->inputs, struct hid_input, list); // NORACE
	hi->input->hint = 6; // NORACE
	hi->input->keys++; // NORACE
	return 0;
}

static struct hid_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.input_mapping = demo_mapping,
	.input_configured = demo_configured,
	.feature_mapping = demo_feature,
};
module_hid_driver(demo_driver);
