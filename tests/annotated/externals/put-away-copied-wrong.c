/* An object that is taken for nothing yet is found by others as a struct, and what the user has sent is copied
 * there. */
#include <linux/xarray.h>

static DEFINE_MUTEX(lock);
struct demo { int a; int count; };
static DEFINE_IDR(ids);
static int demo_open(struct inode *inode, struct file *file) { return 0; }
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	void *p = kzalloc(sizeof(struct demo), GFP_KERNEL);
	if (!p) return -ENOMEM;
	mutex_lock(&lock);
	idr_alloc(&ids, p, 0, 0, GFP_KERNEL);
	mutex_unlock(&lock);
	if (copy_from_user(p, buf, sizeof(struct demo))) // RACE!
		return -EFAULT;
	return n;
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo;
	int n = 0;
	mutex_lock(&lock);
	demo = idr_find(&ids, cmd);
	if (demo)
		n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
