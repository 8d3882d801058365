/* A file that is open keeps the module, so exit does not run; two ioctls still race. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int events;
extern struct module this_module;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return ++events; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = &this_module,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
	events = 0; // NORACE
}
module_exit(demo_exit);
