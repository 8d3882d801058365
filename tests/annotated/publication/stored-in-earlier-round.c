/* What each round stores in an object of the thread's own is handed to nobody. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct frame {
	int *data;
	size_t length;
};

static DEFINE_MUTEX(lock);
static int *shared;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct frame *frame = kzalloc(sizeof(*frame), GFP_KERNEL);
	int *data = kmalloc(sizeof(int), GFP_KERNEL);
	int *found = NULL;
	size_t i;

	if (!frame || !data)
		return -ENOMEM;
	for (i = 0; i < len; i++) {
		frame->length = i;
		frame->data = data;
	}
	mutex_lock(&lock);
	shared = found; // NORACE
	mutex_unlock(&lock);
	*data = frame->length; // NORACE
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int *found;

	mutex_lock(&lock);
	found = shared; // NORACE
	mutex_unlock(&lock);
	return found ? *found : 0; // NORACE
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
	return misc_register(&demo_misc);
}
module_init(demo_init);
