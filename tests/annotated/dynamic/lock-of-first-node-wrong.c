/* The lock of the first element is kept during the walk: it is none of the others. */
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
	struct node *node, *first = NULL;

	for (node = file->private_data; node; node = node->next) {
		if (!first) {
			first = node;
			mutex_lock(&first->lock);
		}
		node->data += cmd; // RACE!
	}
	if (first)
		mutex_unlock(&first->lock);
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
