/* Where the chain is empty, the node comes to the next one. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

#define SLOTS 64

struct node {
	struct node *next;
	int key;
	int data;
};

static struct node *slots[SLOTS];
static spinlock_t locks[SLOTS];

static struct node *new_node(int key)
{
	struct node *node = kzalloc(sizeof(*node), GFP_ATOMIC);

	if (node)
		node->key = key;
	return node;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned int hv = len % SLOTS, at = (hv + 1) % SLOTS;
	struct node *node;

	spin_lock(&locks[hv]);
	node = slots[hv]; // RACE!
	if (!node) {
		slots[at] = new_node(len); // RACE!
	} else {
		for (;;) {
			if (node->key == (int)len) { // NORACE
				node->data++; // NORACE
				break;
			}
			if (!node->next) { // NORACE
				node->next = new_node(len); // NORACE
				break;
			}
			node = node->next; // NORACE
		}
	}
	spin_unlock(&locks[hv]);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
