/* The element is written after its lock was given back. */
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
	struct node *node = file->private_data, *next;

	mutex_lock(&node->lock);
	while (node->data != cmd && node->next) { // RACE!
		next = node->next; // NORACE
		mutex_lock(&next->lock);
		mutex_unlock(&node->lock);
		node = next;
	}
	mutex_unlock(&node->lock);
	node->data++; // RACE!
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
