/* The lock of the element before is taken. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct node {
	struct mutex lock;
	int data;
	struct node *next;
};

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *first = file->private_data, *before = first, *node;

	for (node = first; node; node = node->next) {
		mutex_lock(&before->lock);
		node->data += cmd; // RACE!
		mutex_unlock(&before->lock);
		before = node;
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
