/* What is either or in one round of a loop, is both in two. */
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

static struct node *a, *b;
static DEFINE_MUTEX(la);
static DEFINE_MUTEX(lb);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct node *node, *n;
	int i;
	(void)node; (void)n; (void)i;
	node = kzalloc(sizeof(*node), GFP_KERNEL);
	if (!node)
		return -ENOMEM;
	node->data = 1;
	for (i = 0; i < 2; i++) {
		if (i)
			a = node; // RACE!
		else
			b = node; // RACE!
	}

	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *node;

	mutex_lock(&la);
	for (node = a; node; node = node->next) // RACE!
		node->data++; // RACE!
	mutex_unlock(&la);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct node *node;

	mutex_lock(&lb);
	for (node = b; node; node = node->next) // RACE!
		node->data--; // RACE!
	mutex_unlock(&lb);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
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
