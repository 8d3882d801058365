/* A file has a session of its own or an error; nobody else has it when the file is closed. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/err.h>
#include <linux/slab.h>

struct session {
	int count;
};

static struct session *demo_make(void)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return ERR_PTR(-ENOMEM);
	return session;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = demo_make();

	if (IS_ERR(session))
		return PTR_ERR(session);
	file->private_data = session;
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data;

	session->count = 0; // NORACE
	kfree(session); // NORACE
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
