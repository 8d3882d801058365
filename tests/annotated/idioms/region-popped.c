/* The first node of a chain is taken off under the lock, and used without. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct node {
	struct node *next;
	int key;
	int data;
};

static struct node *first;
static DEFINE_MUTEX(lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return -ENOMEM;
	mutex_lock(&lock);
	node->next = first; // NORACE
	first = node; // NORACE
	mutex_unlock(&lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *node;

	mutex_lock(&lock);
	node = first; // NORACE
	if (node)
		first = node->next; // RACE: who has taken an element off is not known to be its only owner
	mutex_unlock(&lock);
	if (node) {
		node->data = arg; // RACE: as above
		kfree(node); // RACE: as above
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
