/* A number is read from an object that was just made, before anything was stored there: the pointer beside it is still the only one. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct frame {
	int tail;
	int *data;
};

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct frame *frame = kmalloc(sizeof(*frame), GFP_KERNEL);

	if (!frame)
		return -ENOMEM;
	frame->data = kmalloc(sizeof(int) * 4, GFP_KERNEL);
	if (frame->data) {
		frame->data += 1;
		frame->tail += 1;
		*frame->data = len; // NORACE
	}
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
