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

struct hid_device {
	const unsigned char *dev_rdesc;
	unsigned int dev_rsize;
	unsigned char *rdesc;
	unsigned int rsize;
	unsigned int claimed;
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
	struct device_driver driver;
};

int __hid_register_driver(struct hid_driver *driver, struct module *owner, const char *name);
void hid_unregister_driver(struct hid_driver *driver);

#define hid_register_driver(driver) __hid_register_driver(driver, THIS_MODULE, "demo")
#define module_hid_driver(driver) module_driver(driver, hid_register_driver, hid_unregister_driver)

#endif
