/* The same as rule07-bytes-of-declared, of a pointer that a function returns. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

struct returned {
	long first;
	int found;
};

struct bytes {
	u8 *of_returned;
};

static struct bytes *bytes;

static noinline void *find(struct file *file)
{
	return file->private_data;
}

static int demo_flush(struct file *file, void *id)
{
	struct returned *returned = find(file);

	mutex_lock(&a);
	mutex_lock(&b);
	bytes->of_returned = (u8 *)returned;
	mutex_unlock(&b);
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&a);
	bytes->of_returned[8] = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct returned *returned = find(file);

	mutex_lock(&b);
	returned->found = 2; // RACE!
	mutex_unlock(&b);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.flush = demo_flush,
	.release = demo_release,
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
