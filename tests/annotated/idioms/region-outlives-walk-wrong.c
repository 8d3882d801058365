/* The last node of a walk is used in the next one, under the lock of that. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/list.h>

struct node {
	struct node *next;
	int key;
	int data;
};

#define SLOTS 8
static struct node *slots[SLOTS];
static struct mutex locks[SLOTS];

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct node *node, *n;
	int i;
	(void)node; (void)n; (void)i;
	node = kzalloc(sizeof(*node), GFP_KERNEL);
	if (!node)
		return -ENOMEM;
	node->data = 1;
	slots[len % SLOTS] = node; // RACE!

	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *node, *last = NULL;
	unsigned int i;

	for (i = 0; i < SLOTS; i++) {
		mutex_lock(&locks[i]);
		if (last)
			last->data++; // RACE!
		for (node = slots[i]; node; node = node->next) { // RACE!
			node->data++; // RACE!
			last = node;
		}
		mutex_unlock(&locks[i]);
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
