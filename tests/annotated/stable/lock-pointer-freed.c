/* What has a pointer to the lock of its level is replaced and freed by a writer, while nobody reads it. As long as it lives,
 * the pointer stays. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/rwsem.h>
#include <linux/slab.h>

struct demo {
	struct mutex *lock;
	int level;
};

static DECLARE_RWSEM(replacing);
static DEFINE_MUTEX(levels);
static struct demo *current_demo;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->lock = &levels;
	down_write(&replacing);
	kfree(current_demo); // NORACE
	current_demo = demo; // NORACE
	up_write(&replacing);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo;

	down_read(&replacing);
	demo = current_demo; // NORACE
	if (demo) {
		mutex_lock(demo->lock); // NORACE
		demo->level++; // NORACE
		mutex_unlock(demo->lock); // NORACE
	}
	up_read(&replacing);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
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
