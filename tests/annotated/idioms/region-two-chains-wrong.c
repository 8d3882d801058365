/* A node is put into both chains. */
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

static struct node *even, *odd;
static DEFINE_MUTEX(even_lock);
static DEFINE_MUTEX(odd_lock);

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct node *node = kzalloc(sizeof(*node), GFP_KERNEL);

	if (!node)
		return -ENOMEM;
	node->data = len; // NORACE
	if (len & 1) {
		mutex_lock(&odd_lock);
		node->next = odd; // NORACE
		odd = node; // NORACE
		mutex_unlock(&odd_lock);
	}
	if (len < 100) {
		mutex_lock(&even_lock);
		node->next = even; // RACE!
		even = node; // NORACE
		mutex_unlock(&even_lock);
	}
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct node *node;

	mutex_lock(&even_lock);
	for (node = even; node; node = node->next) // NORACE
		node->data++; // RACE!
	mutex_unlock(&even_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct node *node;

	mutex_lock(&odd_lock);
	for (node = odd; node; node = node->next) // RACE!
		node->data--; // RACE!
	mutex_unlock(&odd_lock);
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
