/* The numbers that are read are the halves of the pointer, and are put together elsewhere. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

union place {
	int *data;
	u32 half[2];
};

struct frame {
	int tail;
	union place place;
};

static union place shared;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct frame *frame = kmalloc(sizeof(*frame), GFP_KERNEL);

	if (!frame)
		return -ENOMEM;
	frame->place.data = kmalloc(sizeof(int), GFP_KERNEL);
	if (frame->place.data) {
		frame->tail += 1;
		shared.half[0] = frame->place.half[0]; // RACE!
		shared.half[1] = frame->place.half[1]; // RACE!
		*frame->place.data = len; // RACE!
	}
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return shared.data ? *shared.data : 0; // RACE!
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
