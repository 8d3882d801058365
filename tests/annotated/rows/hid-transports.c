/* What the core of HID has the transports of devices do: they send buffers, and fill some. */
// verdict: potential
// assume: outside-callback
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include "hid-requests.h"

struct demo { int n; };
extern struct hid_device *demo_hid(void);
extern struct hid_report *demo_report(void);
static DEFINE_MUTEX(lock);
static struct demo demo;
static u8 buffer[8], sent[8], guarded[8];
static char text[8];

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct hid_device *hdev = demo_hid();
	struct hid_ll_driver *transport = hdev->ll_driver;
	u8 own[8] = { 1 };

	transport->raw_request(hdev, 1, own, sizeof(own), 1, 1); // NORACE
	transport->output_report(hdev, own, sizeof(own)); // NORACE
	transport->wait(hdev); // NORACE
	transport->idle(hdev, 1, 2, 3); // NORACE
	transport->power(hdev, 1); // NORACE
	transport->may_wakeup(hdev); // NORACE
	mutex_lock(&lock);
	demo.n++; // NORACE
	transport->raw_request(hdev, 1, guarded, sizeof(guarded), 1, 1); // NORACE
	mutex_unlock(&lock);
	transport->raw_request(hdev, 1, buffer, sizeof(buffer), 1, 1); // RACE!
	transport->output_report(hdev, sent, sizeof(sent)); // RACE!
	hid_debug_event(hdev, "one"); // NORACE
	hid_debug_event(hdev, text); // RACE!
	return own[1];
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct hid_device *hdev = demo_hid();

	dev_set_drvdata(&hdev->dev, &demo); // RACE: where the numbers of a field lie is not told
	mutex_lock(&lock);
	demo.n = guarded[1]; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(sent[1], 1); // RACE!
	WRITE_ONCE(text[1], 'a'); // RACE!
	WRITE_ONCE(hdev->product, 1); // NORACE
	return buffer[2]; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	demo_hid()->ll_driver->request(demo_hid(), demo_report(), 1); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct hid_report *report = demo_report();
	struct hid_field *field = READ_ONCE(report->field[1]);

	WRITE_ONCE(field->value[1], 1); // RACE!
	WRITE_ONCE(report->type, 1); // RACE!
	WRITE_ONCE(report->application, 1); // NORACE
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
