/* Where only code outside makes the module's struct, it may lie behind one of the kernel's. */
// verdict: potential
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/xarray.h>

struct demo;
extern struct demo *board_room(struct inode *inode);

struct demo {
	int level;
};

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(request_lock);
static DEFINE_XARRAY(xa);

static int demo_open(struct inode *inode, struct file *file)
{
	xa_store(&xa, 3, board_room(inode), GFP_KERNEL); // RACE: nobody knows what the function does to the inode
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = xa_load(&xa, 3);

	mutex_lock(&lock);
	demo->level = cmd; // RACE!
	mutex_unlock(&lock);
	return 0;
}

void demo_end(struct ifreq *request)
{
	mutex_lock(&request_lock);
	kfree(request); // RACE!
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
