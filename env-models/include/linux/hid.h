/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#ifndef _LINUX_HID_H
#define _LINUX_HID_H
#include <linux/device.h>
#include <linux/module.h>
#include <linux/semaphore.h>

struct hid_device_id {
	unsigned short bus, group;
	unsigned int vendor, product;
	unsigned long driver_data;
};

struct hid_driver;
struct input_dev;

struct hid_usage {
	unsigned int hid;
	unsigned short code;
	unsigned char type;
};

struct hid_field {
	struct hid_usage *usage;
	unsigned int maxusage;
	int *value;
};

struct hid_input {
	struct list_head list;
	void *report;
	struct input_dev *input;
};

struct hid_device {
	const unsigned char *dev_rdesc;
	unsigned int dev_rsize;
	unsigned char *rdesc;
	unsigned int rsize;
	unsigned int claimed;
	unsigned long status;
	struct list_head inputs;
	struct semaphore driver_input_lock;
	struct device dev;
	struct hid_driver *driver;
};

struct hid_driver {
	char *name;
	const struct hid_device_id *id_table;
	int (*probe)(struct hid_device *hdev, const struct hid_device_id *id);
	void (*remove)(struct hid_device *hdev);
	unsigned char *(*report_fixup)(struct hid_device *hdev, unsigned char *buf, unsigned int *size);
	int (*input_mapping)(struct hid_device *hdev, struct hid_input *hi, struct hid_field *field,
			     struct hid_usage *usage, unsigned long **bit, int *max);
	int (*input_configured)(struct hid_device *hdev, struct hid_input *hi);
	void (*feature_mapping)(struct hid_device *hdev, struct hid_field *field, struct hid_usage *usage);
	struct device_driver driver;
};

int hid_open_report(struct hid_device *hdev);
int hid_hw_start(struct hid_device *hdev, unsigned int mask);
int __hid_register_driver(struct hid_driver *driver, struct module *owner, const char *name);
void hid_unregister_driver(struct hid_driver *driver);

#define hid_register_driver(driver) __hid_register_driver(driver, THIS_MODULE, "demo")
#define module_hid_driver(driver) module_driver(driver, hid_register_driver, hid_unregister_driver)

#endif
