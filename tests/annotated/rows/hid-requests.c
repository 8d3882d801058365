/* Reports that are sent and asked for: the values of their fields are read, or written. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include "hid-requests.h"

struct demo { int leds; };
extern struct hid_device *demo_hid(void);
extern struct hid_report *demo_report(void);
static DEFINE_MUTEX(lock);
static struct demo demo;

static void demo_send(int request)
{
	mutex_lock(&lock);
	demo.leds++; // NORACE
	demo_report()->field[0]->value[1] = demo.leds; // NORACE
	hid_hw_request(demo_hid(), demo_report(), request); // RACE!
	mutex_unlock(&lock);
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	demo_send(1);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct hid_report *report = demo_report();
	struct hid_device *hdev = demo_hid();

	dev_set_drvdata(&hdev->dev, &demo); // RACE: the same numbers
	WRITE_ONCE(hdev->product, 1); // NORACE
	WRITE_ONCE(report->application, 1); // NORACE
	WRITE_ONCE(hdev->quirks, 1); // RACE!
	WRITE_ONCE(hdev->claimed, 1); // NORACE
	WRITE_ONCE(hdev->driver_data, &demo); // RACE!
	WRITE_ONCE(report->size, 1); // RACE!
	WRITE_ONCE(report->id, 1); // RACE!
	WRITE_ONCE(report->type, 1); // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct hid_field *field = READ_ONCE(demo_report()->field[3]);

	WRITE_ONCE(field->report_count, 1); // RACE!
	WRITE_ONCE(field->logical_minimum, 1); // RACE!
	return field->value[2] + // RACE!
	       field->new_value[2]; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(demo_report()->field[2], NULL); // RACE!
	WRITE_ONCE(demo_report()->maxfield, 3); // RACE!
	WRITE_ONCE(demo_report()->device, NULL); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
