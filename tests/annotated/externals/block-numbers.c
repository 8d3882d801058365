/* Who registers a number of block devices may give a function that makes a disk when somebody asks for one: one call at a time. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/blkdev.h>

static int probes, shown, given;
static char name[8] = "demo", other[8] = "other";

static void demo_probe(dev_t number)
{
	probes++; // NORACE
	shown++; // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return shown; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd)
		return __register_blkdev(arg, other, NULL); // RACE!
	unregister_blkdev(arg, other); // RACE!
	return given; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	other[0] = 'a'; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	given = __register_blkdev(0, name, demo_probe); // NORACE
	if (given < 0) // NORACE
		return given;
	return misc_register(&demo_misc);
}
module_init(demo_init);
