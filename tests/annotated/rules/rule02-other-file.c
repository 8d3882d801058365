/* ioctl gives the private data of its own file to another file: nobody who uses that one
 * expects it.
 */
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

static int total;
struct file *demo_file_of(unsigned int number);

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct demo), GFP_KERNEL); // RACE!
	return file->private_data ? 0 : -ENOMEM; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data; // RACE!
	struct file *other = demo_file_of(cmd);

	other->private_data = demo; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = READ_ONCE(file->private_data); // RACE!

	mutex_lock(&demo->lock);
	total++; // RACE!
	demo = READ_ONCE(file->private_data); // RACE!
	demo->events++; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
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
