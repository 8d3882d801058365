/* The same, chosen from a list. */
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
static const struct file_operations none_fops = { .owner = THIS_MODULE };
static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static const struct file_operations *const tables[] = { &none_fops, &demo_fops };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int all_open(struct inode *inode, struct file *file)
{
	file->f_op = tables[file->f_flags & 1];	/* as drivers/char/mem.c */
	return 0;
}
static const struct file_operations all_fops = { .owner = THIS_MODULE, .open = all_open };
static struct miscdevice all_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "all", .fops = &all_fops };

static int __init demo_init(void)
{
	int err = misc_register(&all_misc);

	if (err)
		return err;
	x = 1; // RACE!
	return misc_register(&demo_misc);
}
module_init(demo_init);
