/* Each element of a list has a lock of its own; nobody changes the list. */
// verdict: race-free
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
	struct node *first = file->private_data, *node;

	for (node = first; node; node = node->next) {
		mutex_lock(&node->lock);
		node->data += cmd; // NORACE
		mutex_unlock(&node->lock);
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
