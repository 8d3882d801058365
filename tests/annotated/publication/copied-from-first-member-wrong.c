/* A struct is copied word by word, from the address of its first member, which is an array of words. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct frame {
	u32 key[4];
	int *data;
};

static DEFINE_MUTEX(lock);
static int *shared;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct frame *from = kzalloc(sizeof(*from), GFP_KERNEL);
	struct frame *to = kzalloc(sizeof(*to), GFP_KERNEL);
	int *data = kmalloc(sizeof(*data), GFP_KERNEL);
	int *found;
	size_t i;

	if (!from || !to || !data)
		return -ENOMEM;
	from->data = data;
	for (i = 0; i < sizeof(*from) / 4; i++)
		((u32 *)to)[i] = ((u32 *)from)[i];
	found = to->data;
	mutex_lock(&lock);
	shared = found; // NORACE
	mutex_unlock(&lock);
	*data = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int *found;

	mutex_lock(&lock);
	found = shared; // NORACE
	mutex_unlock(&lock);
	return found ? *found : 0; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
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
