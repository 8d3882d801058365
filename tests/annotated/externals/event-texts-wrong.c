/* An event has texts, which are read. */
// verdict: potential
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/string.h>

int kobject_uevent_env(struct kobject *object, int action, char *texts[]);

static DEFINE_MUTEX(lock);
static u8 shared[64];
static struct device device;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	char *texts[] = { (char *)shared, NULL };

	return kobject_uevent_env(&device.kobj, 2, texts); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	shared[len & 63] = 3; // RACE!
	mutex_unlock(&lock);
	return 1;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
