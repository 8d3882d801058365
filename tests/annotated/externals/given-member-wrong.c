/* Code outside is given a member as data, and gives data to the callback. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	u8 level;
};

void outside_watch(void (*call)(u8 *data), u8 *data);

static DEFINE_MUTEX(lock);

static void demo_changed(u8 *data)
{
	*data = 0; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	file->private_data = demo;
	outside_watch(demo_changed, &demo->level); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&lock);
	demo->level = n; // RACE!
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
