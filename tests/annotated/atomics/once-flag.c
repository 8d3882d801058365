/* The flags of the kernel's WARN_ONCE and dev_warn_once race by intention, those of drivers do not. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	static bool __already_done, warned;

	if (!__already_done) { // NORACE
		__already_done = true; // NORACE
		printk("unknown command\n");
	}
	if (!warned) { // RACE!
		warned = true; // RACE!
		printk("unknown command\n");
	}
	if (arg) {
		static bool __already_done;

		if (!__already_done) { // NORACE
			__already_done = true; // NORACE
			printk("unknown argument\n");
		}
	}
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
