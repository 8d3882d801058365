/* The copy that a round makes of an object of the thread's own has what the round before has stored there. */
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
	struct frame *copy = kzalloc(sizeof(*copy), GFP_KERNEL);
	int *data = kmalloc(sizeof(int), GFP_KERNEL);
	size_t i;

	if (!frame || !copy || !data)
		return -ENOMEM;
	for (i = 0; i < len; i++) {
		*copy = *frame;
		frame->data = data;
	}
	mutex_lock(&lock);
	shared = copy->data; // NORACE
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
