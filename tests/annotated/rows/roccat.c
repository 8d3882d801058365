/* Buffers that go to mice and keyboards of Roccat, and come from there: they are the caller's. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/hid.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>

struct usb_device;
struct roccat_common2_device { int roccat_claimed, chrdev_minor; struct mutex lock; };
int roccat_common2_receive(struct usb_device *dev, unsigned int report, void *data, unsigned int n);
int roccat_common2_send(struct usb_device *dev, unsigned int report, const void *data, unsigned int n);
int roccat_common2_send_with_status(struct usb_device *dev, unsigned int report, const void *data, unsigned int n);
int roccat_common2_device_init_struct(struct usb_device *dev, struct roccat_common2_device *device);
ssize_t roccat_common2_sysfs_read(struct file *file, struct kobject *kobj, char *buf, loff_t off, size_t count, size_t size, unsigned int command);
ssize_t roccat_common2_sysfs_write(struct file *file, struct kobject *kobj, const void *buf, loff_t off, size_t count, size_t size, unsigned int command);

extern struct usb_device *demo_usb(void);
extern struct hid_device *demo_hid(void);
static DEFINE_MUTEX(lock);
static int profile, guarded, sent, asked, shown, stored;

static ssize_t setting_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int own;

	roccat_common2_receive(demo_usb(), 1, &own, sizeof(own)); // NORACE
	roccat_common2_receive(demo_usb(), 1, &profile, sizeof(profile)); // RACE!
	mutex_lock(&lock);
	roccat_common2_receive(demo_usb(), 1, &guarded, sizeof(guarded)); // NORACE
	mutex_unlock(&lock);
	roccat_common2_send(demo_usb(), 1, &sent, sizeof(sent)); // RACE!
	roccat_common2_send_with_status(demo_usb(), 1, &asked, sizeof(asked)); // RACE!
	return own;
}

static ssize_t setting_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	int seen = profile; // RACE!

	mutex_lock(&lock);
	guarded = 1; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(sent, seen); // RACE!
	WRITE_ONCE(asked, seen); // RACE!
	return count;
}
static DEVICE_ATTR_RW(setting);

static ssize_t all_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return roccat_common2_sysfs_read(NULL, &dev->kobj, (char *)&shown, 0, 4, 4, 1); // RACE!
}

static ssize_t all_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	return roccat_common2_sysfs_write(NULL, &dev->kobj, &stored, 0, 4, 4, 1); // RACE!
}
static DEVICE_ATTR_RW(all);

static ssize_t other_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct roccat_common2_device *common = dev_get_drvdata(&demo_hid()->dev);

	WRITE_ONCE(stored, shown); // RACE!
	WRITE_ONCE(common->chrdev_minor, 1); // NORACE
	return 0;
}

static ssize_t other_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct roccat_common2_device *common = dev_get_drvdata(&demo_hid()->dev);

	return roccat_common2_device_init_struct(demo_usb(), common); // RACE!
}
static DEVICE_ATTR_RW(other);

static int demo_probe(struct platform_device *pdev)
{
	device_create_file(&pdev->dev, &dev_attr_setting);
	device_create_file(&pdev->dev, &dev_attr_all);
	return device_create_file(&pdev->dev, &dev_attr_other);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
