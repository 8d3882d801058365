/* One of two members; both locks. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int x;
};

struct session {
	struct demo a, b;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;
	int *x = cmd ? &session->a.x : &session->b.x;

	mutex_lock(&session->a.lock);
	mutex_lock(&session->b.lock);
	(*x)++; // NORACE
	mutex_unlock(&session->b.lock);
	mutex_unlock(&session->a.lock);
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
