/* Without an owner the module can go while a file is open. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	return ++events; // RACE!
}

static const struct file_operations demo_fops = {
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
	events = 0; // RACE!
}
module_exit(demo_exit);
