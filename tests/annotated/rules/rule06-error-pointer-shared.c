/* An error or one session for all files. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/err.h>

struct session {
	int count;
};

static struct session common;
static bool broken;

static struct session *demo_make(void)
{
	return broken ? ERR_PTR(-ENODEV) : &common;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = demo_make();

	if (IS_ERR(session))
		return PTR_ERR(session);
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;

	session->count++; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
