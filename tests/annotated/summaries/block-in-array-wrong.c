/* A helper fills bytes from a number on, and so a pointer behind it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

struct chip {
	struct mutex lock;
	int value;
};

struct demo {
	u32 count;
	struct chip *chip;
	u8 buffer[64];
};

static struct chip chips[2];
static const u8 source[64];
static DEFINE_MUTEX(demo_lock);

static noinline void demo_fill(u8 *to, size_t n)
{
	memcpy(to, source, n); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->chip = &chips[iminor(inode) & 1];
	file->private_data = demo;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo_lock);
	demo_fill((u8 *)&demo->count, arg % 64);
	mutex_unlock(&demo_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&demo->chip->lock); // RACE!
	demo->chip->value++; // RACE!
	mutex_unlock(&demo->chip->lock); // RACE!
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
	mutex_init(&chips[0].lock);
	mutex_init(&chips[1].lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
