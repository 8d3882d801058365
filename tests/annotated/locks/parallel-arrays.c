/* Locks in one array, data in another, at the same index. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

#define PORTS 8

static struct mutex locks[PORTS];
static long events[PORTS];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd >= PORTS)
		return -EINVAL;
	mutex_lock(&locks[cmd]);
	events[cmd]++; // NORACE
	mutex_unlock(&locks[cmd]);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
