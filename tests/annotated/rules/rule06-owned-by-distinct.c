/* What a session owns is apart from what another one owns. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct session {
	int *count;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	session->count = kzalloc(sizeof(*session->count), GFP_KERNEL);
	if (!session->count)
		return -ENOMEM;
	file->private_data = session;
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	*session->count = 0; // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
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
