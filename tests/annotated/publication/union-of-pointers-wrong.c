/* A union has two pointers, and each is used as it is declared. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct limits {
	int low, high;
};

struct demo {
	int number, level;
	struct mutex lock;
	struct list_head node;
};

static LIST_HEAD(demos);
static DEFINE_MUTEX(current_lock);

static union {
	struct limits *limits;
	int *counter;
} current_one;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&current_lock);
	*current_one.counter = len; // RACE!
	mutex_unlock(&current_lock);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = list_first_entry(&demos, struct demo, node);

	mutex_lock(&demo->lock);
	len = demo->level; // RACE!
	mutex_unlock(&demo->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	struct demo *demo = NULL;
	int i;

	for (i = 0; i < 4; i++) {
		demo = kzalloc(sizeof(*demo), GFP_KERNEL);
		if (!demo)
			return -ENOMEM;
		mutex_init(&demo->lock);
		list_add(&demo->node, &demos);
	}
	current_one.counter = &demo->level;
	return misc_register(&demo_misc);
}
module_init(demo_init);
