/* A pointer is written, nobody knows in which struct, in code that is not executed step by step. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct chip {
	struct mutex lock;
	int value;
};

struct node {
	struct node *next;
	struct node *last;
};

struct demo {
	u64 chip;
	struct node node;
};

static struct chip chips[2];
static struct node nodes;
static int steps[2];
static DEFINE_MUTEX(demo_lock);

void *pointer_behind(void *object);

/* No loop has one entry only. */
static noinline void demo_append(struct node *node, long n)
{
	if (n & 1)
		goto middle;
again:
	n += READ_ONCE(steps[0]);
middle:
	n -= READ_ONCE(steps[1]);
	if (n > 0)
		goto again;
	if (n < -100)
		goto middle;
	*(void **)pointer_behind(nodes.last) = node; // RACE!
	nodes.last = node; // NORACE
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->chip = iminor(inode) & 1;
	file->private_data = demo; // RACE: an unknown function may give any pointer
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = file->private_data; // RACE: an unknown function may give any pointer

	mutex_lock(&demo_lock);
	demo_append(&demo->node, arg);
	mutex_unlock(&demo_lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = file->private_data; // RACE: an unknown function may give any pointer

	mutex_lock(&chips[demo->chip & 1].lock); // RACE!
	chips[demo->chip & 1].value++; // RACE!
	mutex_unlock(&chips[demo->chip & 1].lock); // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	nodes.last = &nodes;
	mutex_init(&chips[0].lock);
	mutex_init(&chips[1].lock);
	return misc_register(&demo_misc);
}
module_init(demo_init);
