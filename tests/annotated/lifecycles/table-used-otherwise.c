/* What code does with the operations but to register them lets nobody call them: it compares their address, calls through them, and gives them to a function that registers them. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int x;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(x, 2); // NORACE
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static noinline int add(struct miscdevice *misc)
{
	if (misc->fops != &demo_fops)
		return -1;
	misc->fops->unlocked_ioctl(NULL, 0, 0);
	return misc_register(misc);
}

static int __init demo_init(void)
{
	x = 1; // NORACE
	return add(&demo_misc);
}
module_init(demo_init);
