/* The lock of another chain. */
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

static unsigned int hash(int key)
{
	return (unsigned int)key * 2654435761u % SLOTS;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	unsigned int hv = hash(len);
	struct node *node;

	spin_lock(&locks[hv]);
	for (node = slots[hv]; node; node = node->next) { // NORACE
		node->data = 1; // RACE!
		if (node->key == (int)len) // NORACE
			break;
	}
	if (!node) {
		node = kzalloc(sizeof(*node), GFP_ATOMIC);
		if (node) {
			node->key = len;
			node->next = slots[hv]; // NORACE
			slots[hv] = node; // RACE!
		}
	}
	spin_unlock(&locks[hv]);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int hv = hash(cmd);
	struct node *node;

	spin_lock(&locks[cmd % SLOTS]);
	for (node = slots[hv]; node; node = node->next) // RACE!
		node->data = arg; // RACE!
	spin_unlock(&locks[cmd % SLOTS]);
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
