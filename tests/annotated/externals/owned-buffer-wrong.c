/* The module calls the function, too, with a struct as the buffer. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/hw_random.h>

struct demo {
	int a;
	u8 level;
};

static DEFINE_MUTEX(lock);
static struct hwrng demo_rng;

static int demo_read(struct hwrng *rng, void *buffer, size_t n, bool wait)
{
	((u8 *)buffer)[4] = 1; // RACE!
	return 5;
}

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = kzalloc(sizeof(struct demo), GFP_KERNEL);
	return file->private_data ? 0 : -ENOMEM;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&lock);
	demo->level = n; // RACE!
	mutex_unlock(&lock);
	demo_read(&demo_rng, demo, n, false);
	return n;
}

static struct hwrng demo_rng = {
	.name = "demo",
	.read = demo_read,
};

static int demo_start(void)
{
	return hwrng_register(&demo_rng);
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
