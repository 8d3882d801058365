/* The memory of a device of the AMBA bus is asked for under a name that is kept, and given back. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/ioport.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct amba_device { struct device dev; struct resource res; unsigned int periphid, irq; };
int amba_request_regions(struct amba_device *dev, const char *name);
void amba_release_regions(struct amba_device *dev);

struct name { char text[8]; };

extern struct amba_device *demo_device(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct name *name = kzalloc(sizeof(*name), GFP_KERNEL);

	if (!name)
		return -ENOMEM;
	mutex_lock(&lock);
	name->text[0] = cmd; // NORACE
	amba_request_regions(demo_device(), name->text); // RACE!
	name->text[0] = cmd; // RACE!
	amba_release_regions(demo_device()); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	demo_device()->irq = len; // NORACE
	demo_device()->res.start = len; // RACE!
	demo_device()->res.end = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

int demo_any(struct name *name)
{
	return name->text[0]; // RACE!
}
EXPORT_SYMBOL(demo_any);

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
