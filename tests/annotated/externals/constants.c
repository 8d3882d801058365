/* Code outside that gets a pointer to a constant does not write to it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

extern void generic_setup(void *table, const char *name);

static const int levels[] = { 1, 2, 3 };
static int limits[] = { 1, 2, 3 };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	const int *table = len ? levels : limits;

	return levels[*pos & 1] + table[0]; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	generic_setup((void *)levels, "demo"); // NORACE
	generic_setup(limits, "demo"); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
