/* The lock in the head of a list, but of another list. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/list_bl.h>

static struct hlist_bl_head heads[4];
static int events[4];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd >= 4 || arg >= 4)
		return -EINVAL;
	hlist_bl_lock(&heads[arg]);
	events[cmd]++; // RACE!
	hlist_bl_unlock(&heads[arg]);
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
