/* Special events: the data are copied; the class and the HID device are known to others from the start. */
// verdict: potential
#include "hid.h"
#include <linux/device.h>

struct class;
int roccat_connect(struct class *class, struct hid_device *hid, int size);
void roccat_disconnect(int minor);
int roccat_report_event(int minor, const u8 *data);

struct event { u8 type, key; };
struct demo { int minor, level; struct event event, fixed; };

extern struct class *demo_class(void);
extern struct hid_device *demo_hid(void);
static struct demo demo;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int minor;

	mutex_lock(&lock);
	minor = roccat_connect(demo_class(), demo_hid(), sizeof(struct event)); // RACE!
	demo.level = roccat_report_event(minor, (u8 *)&demo.event); // RACE!
	roccat_report_event(minor, (u8 *)&demo.fixed); // NORACE
	roccat_disconnect(minor);
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	demo.minor = demo.fixed.key; // NORACE
	demo_hid()->quirks = len; // NORACE
	demo_hid()->driver = NULL; // RACE!
	demo.event.key = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
