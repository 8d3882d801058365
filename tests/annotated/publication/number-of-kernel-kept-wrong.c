/* A struct of the kernel's that is an allocation of its own, and the module keeps a pointer to numbers in it. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/input.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct input_dev *input;
	unsigned long *keys;
	struct mutex lock;
};

static struct demo *demo;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int key;

	key = demo->keys[0]; // RACE!
	return key;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&demo->lock);
	demo->input->keybit[0] = arg; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
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
	mutex_init(&demo->lock);
	demo->keys = demo->input->keybit;
	return misc_register(&demo_misc);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
