/* Two calls on one file are not serialized. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct session {
	int mode;
};

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct session), GFP_KERNEL); // NORACE
	return file->private_data ? 0 : -ENOMEM; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data; // NORACE

	session->mode = cmd; // RACE!
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
