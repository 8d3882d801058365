/* Two elements share a lock, but not the same one in both places. */
// verdict: potential
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
	events[cmd]++; // RACE!
	mutex_unlock(&locks[cmd]);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (len >= PORTS)
		return -EINVAL;
	mutex_lock(&locks[len / 2]);
	len = events[len]; // RACE!
	mutex_unlock(&locks[0]);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
