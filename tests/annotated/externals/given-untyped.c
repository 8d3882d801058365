/* What the kernel gives without a type is no struct that it has never got. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int level;
};

extern void board_on(void (*event)(void *data));
extern void board_keep(unsigned char *buffer, size_t size);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(event_lock);
static struct demo *shared;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	mutex_lock(&event_lock);
	shared = kzalloc(sizeof(*shared), GFP_KERNEL);
	mutex_unlock(&event_lock);
	mutex_unlock(&lock);
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	shared->level = cmd; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static void demo_event(void *data)
{
	unsigned char *out = data;

	mutex_lock(&event_lock);
	out[1] = 1; // NORACE
	mutex_unlock(&event_lock);
}

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

static int __init demo_init(void)
{
	int error = misc_register(&demo_misc);

	if (!error)
		board_on(demo_event);
	return error;
}
module_init(demo_init);
