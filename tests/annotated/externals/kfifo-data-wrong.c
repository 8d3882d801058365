/* Elements are put in by several threads at once. */
// verdict: potential
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct session {
	int level;
	struct mutex lock;
	DECLARE_KFIFO_PTR(fifo, char);
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	mutex_init(&session->lock);
	if (kfifo_alloc(&session->fifo, 64, GFP_KERNEL))
		return -ENOMEM;
	session->level = 1;
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;
	char value = arg;

	kfifo_in(&session->fifo, &value, 1); // RACE!
	return session->level; // NORACE
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
module_misc_device(demo_misc);
