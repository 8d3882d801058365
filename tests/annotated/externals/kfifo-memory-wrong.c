/* A kfifo in bytes of the driver's. */
// verdict: potential
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

int __kfifo_init(struct __kfifo *fifo, void *buffer, unsigned int size, size_t element);
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
	__kfifo_init(&session->fifo.kfifo, session->flags, sizeof(session->flags), 1);
	demo_load(session->flags, sizeof(session->flags)); // RACE: this session is not known yet
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;
	char value = arg;

	mutex_lock(&session->lock);
	kfifo_in(&session->fifo, &value, 1); // RACE!
	mutex_unlock(&session->lock);
	return session->flags[0]; // RACE!
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
