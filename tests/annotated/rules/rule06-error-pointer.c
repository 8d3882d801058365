/* A session is made by a function that may return an error instead: each file still has its own. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/err.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct session {
	struct mutex lock;
	int count;
};

static struct session *demo_make(void)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return ERR_PTR(-ENOMEM);
	mutex_init(&session->lock);
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

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;

	mutex_lock(&session->lock);
	session->count++; // NORACE
	mutex_unlock(&session->lock);
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
