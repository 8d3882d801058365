/* Which member a pointer is put in, a number tells. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct frame {
	int size;
	int *first;
	int *second;
};

static DEFINE_MUTEX(lock);
static int *shared;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct frame *frame = kzalloc(sizeof(*frame), GFP_KERNEL);
	int *data = kmalloc(sizeof(*data), GFP_KERNEL);
	int offset = len & 1 ? offsetof(struct frame, first) : offsetof(struct frame, second);
	int *found;

	if (!frame || !data)
		return -ENOMEM;
	*(int **)((char *)frame + offset) = data;
	found = frame->first;
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
