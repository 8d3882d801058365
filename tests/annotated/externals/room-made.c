/* What the module makes itself does not lie behind a struct of the kernel's. */
// assume: type-split
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct demo {
	int level;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(request_lock);
static DEFINE_XARRAY(xa);

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	xa_store(&xa, 3, demo, GFP_KERNEL);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = xa_load(&xa, 3);

	mutex_lock(&lock);
	demo->level = cmd; // NORACE
	mutex_unlock(&lock);
	return 0;
}

void demo_end(struct ifreq *request)
{
	mutex_lock(&request_lock);
	kfree(request); // NORACE
	mutex_unlock(&request_lock);
}
EXPORT_SYMBOL(demo_end);

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
