/* The untyped buffer may come from where the struct of the kernel does. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct demo {
	void *buffer;
	void *copy;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(buffer_lock);
static DEFINE_XARRAY(xa);

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->buffer = file->f_flags ? kzalloc(64, GFP_KERNEL) : xa_load(&xa, 4);
	demo->copy = demo->buffer;
	xa_store(&xa, 3, demo, GFP_KERNEL);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo = xa_load(&xa, 3);

	mutex_lock(&buffer_lock);
	memset(demo->buffer, 0, n); // RACE!
	mutex_unlock(&buffer_lock);
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct ifreq *request = xa_load(&xa, 4);

	mutex_lock(&lock);
	request->value = cmd; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
