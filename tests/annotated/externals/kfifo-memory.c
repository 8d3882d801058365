/* The memory of a kfifo is its own: it is no bytes that code outside was given. */
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

void demo_load(const unsigned char *flags, size_t len);

struct session {
	struct mutex lock;
	unsigned char flags[8];
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
	demo_load(session->flags, sizeof(session->flags));
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;
	char value = arg;

	mutex_lock(&session->lock);
	kfifo_in(&session->fifo, &value, 1); // NORACE
	mutex_unlock(&session->lock);
	return session->flags[0]; // NORACE
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
