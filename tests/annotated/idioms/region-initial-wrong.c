/* Both sessions begin with the same node, and are reached by pointers. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct node {
	struct node *next;
	int data;
};

struct session {
	struct mutex lock;
	struct node *first;
};

static struct node last;
static struct session left = { .first = &last };
static struct session right = { .first = &last };

static int demo_open(struct inode *inode, struct file *file)
{
	file->private_data = file->f_flags & 1 ? &left : &right;
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct session *session = file->private_data;
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return -ENOMEM;
	node->data = 1;
	mutex_lock(&session->lock);
	node->next = session->first; // NORACE
	session->first = node; // NORACE
	mutex_unlock(&session->lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;
	struct node *node;

	mutex_lock(&session->lock);
	for (node = session->first; node; node = node->next) // NORACE
		node->data++; // RACE!
	mutex_unlock(&session->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
