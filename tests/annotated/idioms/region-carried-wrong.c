/* A node goes from slot to slot in a loop. */
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
	slots[0] = node; // RACE!
	n = slots[0]; // RACE!
	for (i = 1; i < SLOTS; i++) {
		slots[i] = n; // RACE!
		n = slots[i]; // RACE!
	}

	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *node;
	unsigned int i = cmd % SLOTS;

	mutex_lock(&locks[i]);
	for (node = slots[i]; node; node = node->next) // RACE!
		node->data++; // RACE!
	mutex_unlock(&locks[i]);
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
