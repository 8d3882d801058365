/* release runs after all other operations of its file. */
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

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct session *session = file->private_data; // NORACE

	return session->mode; // NORACE
}

static int demo_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data); // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.release = demo_release,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc); // NORACE
}
module_init(demo_init);
