/* Sorting moves the elements: without the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/sort.h>

static int values[8];

static int compare(const void *a, const void *b)
{
	return a < b;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	sort(values, 8, 4, compare, NULL); // RACE!
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
