/* A pointer that only its variable says to be one to the struct is kept as one to bytes. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct demo {
	long first;
	int loaded;
};

struct numbered {
	long first;
	int made;
};

struct bytes {
	u8 *of_loaded, *of_numbered;
};

static struct bytes *bytes;

static int demo_flush(struct file *file, void *id)
{
	struct demo *loaded = file->private_data;
	struct numbered *numbered = (struct numbered *)(unsigned long)file->f_pos;

	mutex_lock(&a);
	mutex_lock(&b);
	bytes->of_loaded = (u8 *)loaded;
	bytes->of_numbered = (u8 *)numbered;
	mutex_unlock(&b);
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&a);
	bytes->of_loaded[8] = 1; // RACE!
	bytes->of_numbered[8] = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = file->private_data;

	mutex_lock(&b);
	demo->loaded = 2; // RACE!
	mutex_unlock(&b);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct numbered *numbered = (struct numbered *)arg;

	mutex_lock(&b);
	numbered->made = 2; // RACE!
	mutex_unlock(&b);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
	.flush = demo_flush,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	bytes = kzalloc(sizeof(*bytes), GFP_KERNEL);
	return bytes ? misc_register(&demo_misc) : -ENOMEM;
}
module_init(demo_init);
