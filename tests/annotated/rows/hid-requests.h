/* Devices and reports of HID, as drivers and transports see them. */
#include <linux/device.h>
#include <linux/list.h>

struct hid_device;
struct hid_report;
struct hid_ll_driver {
	void (*request)(struct hid_device *hdev, struct hid_report *report, int request);
	int (*wait)(struct hid_device *hdev);
	int (*raw_request)(struct hid_device *hdev, unsigned char number, u8 *buf, size_t n, unsigned char type, int request);
	int (*output_report)(struct hid_device *hdev, u8 *buf, size_t n);
	int (*idle)(struct hid_device *hdev, int report, int idle, int request);
	int (*power)(struct hid_device *hdev, int level);
	bool (*may_wakeup)(struct hid_device *hdev);
};
struct hid_field { unsigned int flags, report_count; int *value, *new_value; int logical_minimum; };
struct hid_report {
	struct list_head list;
	unsigned int id, type, application;
	struct hid_field *field[256];
	unsigned int maxfield, size;
	struct hid_device *device;
};
struct hid_device {
	const unsigned char *rdesc;
	struct device dev;
	struct hid_ll_driver *ll_driver;
	unsigned int claimed, quirks, product;
	void *driver_data;
};
void hid_hw_request(struct hid_device *hdev, struct hid_report *report, int request);
void hid_debug_event(struct hid_device *hdev, char *text);
