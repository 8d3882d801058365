/* A device gets another node, behind which stands what was behind the old one. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

void set_primary_fwnode(struct device *dev, struct fwnode_handle *fwnode);

extern struct device *demo_device(void);
static struct fwnode_handle demo_node;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	set_primary_fwnode(demo_device(), cmd ? &demo_node : NULL); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct device *dev = demo_device();

	mutex_lock(&state_lock);
	dev->platform_data = NULL; // NORACE
	demo_node.dev = dev; // NORACE
	demo_node.secondary = NULL; // RACE!
	dev->fwnode->secondary = NULL; // RACE!
	dev->fwnode = NULL; // RACE!
	dev->parent->fwnode = NULL; // RACE!
	dev->parent = NULL; // RACE!
	mutex_unlock(&state_lock);
	return 0;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
