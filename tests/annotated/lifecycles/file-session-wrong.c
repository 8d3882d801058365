/* An ioctl frees what the other calls of the file use. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct session {
	struct mutex lock;
	int position;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	mutex_init(&session->lock);
	file->private_data = session; // NORACE
	session->position = 1; // NORACE
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data; // NORACE

	if (cmd) {
		kfree(session); // RACE!
		return 0;
	}
	mutex_lock(&session->lock); // RACE!
	session->position++; // RACE!
	mutex_unlock(&session->lock);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct session *session = file->private_data; // NORACE

	session->position = 0; // NORACE
	kfree(session); // NORACE
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
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
