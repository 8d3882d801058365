/* The list is under one lock for all, the data of a node under its own. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/list.h>
#include <linux/slab.h>

struct node {
	struct mutex lock;
	int data;
	struct list_head list;
};

static DEFINE_MUTEX(list_lock);
static LIST_HEAD(nodes);

static struct node *find(int id)
{
	struct node *node, *found = NULL;

	mutex_lock(&list_lock);
	list_for_each_entry(node, &nodes, list) { // NORACE
		mutex_lock(&node->lock);
		if (node->data == id) // NORACE
			found = node;
		mutex_unlock(&node->lock);
	}
	mutex_unlock(&list_lock);
	return found;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *node = find(cmd);

	if (!node)
		return -ENOENT;
	mutex_lock(&node->lock);
	node->data = arg; // NORACE
	mutex_unlock(&node->lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return -ENOMEM;
	mutex_init(&node->lock);
	mutex_lock(&list_lock);
	list_add(&node->list, &nodes); // NORACE
	mutex_unlock(&list_lock);
	return len;
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
