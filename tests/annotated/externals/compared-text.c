/* A text of the kernel's is compared, to which the first member of a struct leads: it does not change meanwhile. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/string.h>

struct demo {
	struct input_dev *input;
	const char *text;
	char label[8];
};

static struct demo *demo;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return strcmp(demo->input->name, "demo"); // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	WRITE_ONCE(demo->label[0], len); // NORACE
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	demo->input = input_allocate_device();
	if (!demo->input)
		return -ENOMEM;
	demo->text = demo->label;
	demo->input->phys = demo->label;
	return misc_register(&demo_misc);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
