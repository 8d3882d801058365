/* A table is copied byte by byte, and the copy is registered first: the functions are called before the table itself is. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>

static int state;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	WRITE_ONCE(state, 2); // RACE!
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct file_operations copied_fops;
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
static struct miscdevice copied_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "copy", .fops = &copied_fops };

static int __init demo_init(void)
{
	const char *from = (const char *)&demo_fops;
	char *to = (char *)&copied_fops;
	int err, i;

	for (i = 0; i < sizeof(copied_fops); i++)
		to[i] = from[i];
	err = misc_register(&copied_misc);
	if (err)
		return err;
	state = 1; // RACE!
	return misc_register(&demo_misc);
}
module_init(demo_init);
