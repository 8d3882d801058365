/* Functions in a struct that only the driver knows: called where the driver calls them, under its lock. */
// verdict: race-free
// entry-points: 2
// assume: private-struct
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo_io {
	void (*put)(int value);
	int (*get)(void);
};

static DEFINE_MUTEX(lock);
static int level;
static struct demo_io *current_io;

static void demo_put(int value)
{
	level = value; // NORACE
}

static int demo_get(void)
{
	return level; // NORACE
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct demo_io init = { .put = demo_put, .get = demo_get };
	struct demo_io *io = kzalloc(sizeof(*io), GFP_KERNEL);
	long value;

	if (!io)
		return -ENOMEM;
	*io = init;
	mutex_lock(&lock);
	current_io = io;
	current_io->put(arg);
	value = current_io->get();
	mutex_unlock(&lock);
	return value;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
