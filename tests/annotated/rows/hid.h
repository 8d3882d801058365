/* HID devices, as transports see them: the members that inputs use. Not Linux. */
#include <linux/module.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/semaphore.h>
#include <linux/slab.h>

struct hid_device;
struct hid_ll_driver {
	int (*start)(struct hid_device *hid);
	void (*stop)(struct hid_device *hid);
	int (*open)(struct hid_device *hid);
	void (*close)(struct hid_device *hid);
	int (*parse)(struct hid_device *hid);
	int (*raw_request)(struct hid_device *hid, unsigned char number, u8 *buf, size_t len, unsigned char type, int request);
};
struct hid_driver { char *name; };
struct hid_device {
	u8 *dev_rdesc;
	unsigned int dev_rsize;
	u8 *rdesc;
	unsigned int rsize, maxcollection, maxapplication;
	u16 bus, group;
	u32 vendor, product, version;
	int type;
	struct semaphore driver_input_lock;
	struct device dev;
	struct hid_driver *driver;
	struct hid_ll_driver *ll_driver;
	struct mutex ll_open_lock;
	unsigned long status;
	unsigned int claimed, quirks, initial_quirks;
	bool io_started;
	char name[128], phys[64];
	void *driver_data;
	unsigned int id;
};
struct hid_device *hid_allocate_device(void);
int hid_add_device(struct hid_device *hid);
void hid_destroy_device(struct hid_device *hid);
int hid_input_report(struct hid_device *hid, int type, u8 *data, u32 size, int interrupt);
