/* Code outside of which nothing is known gets a watchdog. It does anything with that, but the number and the core's data it
 * leaves alone: those are set before anybody knows the watchdog. So a lock that is found through them is one lock. */
// assume: settled
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
	struct core *core = watchdog->wd_data; // NORACE

	somebody_stops(watchdog); // RACE!
	mutex_lock(&core->lock);
	core = watchdog->wd_data; // NORACE
	n = core->pings++; // NORACE
	mutex_unlock(&core->lock);
	return n;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	if (watchdog->id > 2) // NORACE
		return -EIO;
	return watchdog->timeout; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
