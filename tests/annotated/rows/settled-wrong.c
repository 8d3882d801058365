/* As settled.c, but the module itself writes there while others read: what code outside does not do says nothing of that. Nor
 * is what code outside reads safe to write. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/watchdog.h>

struct core {
	struct mutex lock;
	int pings;
};

static struct watchdog_device *watchdog;

void somebody_stops(struct watchdog_device *wdd);

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct core *core = watchdog->wd_data; // RACE!

	mutex_lock(&core->lock);
	core = watchdog->wd_data; // RACE!
	n = core->pings++; // RACE!
	mutex_unlock(&core->lock);
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	watchdog->wd_data = (void *)buf; // RACE!
	watchdog->id = n; // RACE!
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	somebody_stops(watchdog); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
