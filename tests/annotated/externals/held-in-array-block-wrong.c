/* The address of the array is in an array of pointers that is copied as a block. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct level {
	int now;
};

struct demo {
	int number;
	struct mutex lock;
	unsigned char text[32];
};

extern struct demo *board_demo(void);
static DEFINE_MUTEX(level_lock);
static unsigned char area[64];

static void *saved[9], *active[9];

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct level *level = (struct level *)(area + len);

	mutex_lock(&level_lock);
	level->now = area[3];
	memcpy(active, saved, sizeof(active));
	level = active[len % 9];
	if (level)
		level->now = len; // RACE!
	mutex_unlock(&level_lock);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = board_demo();

	mutex_lock(&demo->lock);
	demo->text[2] = len; // RACE!
	mutex_unlock(&demo->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	saved[1] = board_demo()->text;
	return misc_register(&demo_misc);
}
module_init(demo_init);
