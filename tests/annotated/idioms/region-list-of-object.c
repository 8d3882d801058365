/* Each session has a list and its lock; the elements have none. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/list.h>

struct item {
	struct list_head list;
	int data;
};

struct session {
	struct mutex lock;
	struct list_head items;
};

static struct item *latest;

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	mutex_init(&session->lock);
	INIT_LIST_HEAD(&session->items);
	file->private_data = session;
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct session *session = file->private_data;
	struct item *item = kzalloc(sizeof(*item), GFP_KERNEL);

	if (!item)
		return -ENOMEM;
	mutex_lock(&session->lock);
	list_add(&item->list, &session->items); // NORACE
	mutex_unlock(&session->lock);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct session *session = file->private_data;
	struct item *item;

	(void)latest;
	mutex_lock(&session->lock);
	list_for_each_entry(item, &session->items, list) // NORACE
		item->data++; // NORACE
	mutex_unlock(&session->lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
