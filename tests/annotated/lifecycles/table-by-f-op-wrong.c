/* The operations of one device are those of files of another, too, which is there before: replace_fops. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static int x;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(x, 2); // RACE!
	return 0;
}
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int ctl_open(struct inode *inode, struct file *file)
{
	file->f_op = &demo_fops;
	return 0;
}
static const struct file_operations ctl_fops = { .owner = THIS_MODULE, .open = ctl_open };
static struct miscdevice ctl_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "ctl", .fops = &ctl_fops };

static int __init demo_init(void)
{
	int err = misc_register(&ctl_misc);

	if (err)
		return err;
	x = 1; // RACE!
	return misc_register(&demo_misc);
}
module_init(demo_init);
