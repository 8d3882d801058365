/* What is kept for an open file is made without a variable that would say what it is, and code outside fills it. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);
struct demo { int a; int count; };

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct demo), GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	return chip_fill(the_chip, file->private_data, sizeof(struct demo)); // RACE!
}
static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;
	long n;
	mutex_lock(&lock);
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
