/* A usage is kept beyond the device's lock, and a device's input is given to another device. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/hid.h>
#include <linux/list.h>

struct input_dev {
	unsigned long hint;
	int keys;
};

static struct hid_usage *last_usage;
static struct hid_input *first_input;

static int demo_mapping(struct hid_device *hdev, struct hid_input *hi, struct hid_field *field,
			struct hid_usage *usage, unsigned long **bit, int *max)
{
	if (last_usage) // RACE!
		last_usage->type = 1; // RACE!
	last_usage = usage; // RACE!
	hi->input->keys++; // RACE!
	return 0;
}

static void demo_feature(struct hid_device *hdev, struct hid_field *field, struct hid_usage *usage)
{
	if (last_usage) // RACE!
		last_usage->type = 2; // RACE!
	usage->code = 1; // NORACE
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
	if (!first_input) // RACE!
		first_input = hi; // RACE!
	hi->input = first_input->input; // RACE!
	hi->input->hint = 6; // RACE!
	return 0;
}

static struct hid_driver demo_driver = { .name = "demo", .probe = demo_probe, .input_mapping = demo_mapping,
					.feature_mapping = demo_feature };
module_hid_driver(demo_driver);
