/* The pointer is set anew by who opens. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int events;
};

struct session {
	struct demo *demo;
};

static struct demo common, other;

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	session->demo = &common;
	file->private_data = session;
	return 0;
}

static noinline struct demo *demo_of(struct file *file)
{
	struct session *session = file->private_data;

	return READ_ONCE(session->demo);
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&demo_of(file)->lock);
	demo_of(file)->events++; // RACE!
	mutex_unlock(&demo_of(file)->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&demo_of(file)->lock);
	len = demo_of(file)->events; // RACE!
	WRITE_ONCE(((struct session *)file->private_data)->demo, &other);
	mutex_unlock(&demo_of(file)->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
