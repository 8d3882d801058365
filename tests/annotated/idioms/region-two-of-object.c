/* A session has two lists, each with a lock of its own. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/list.h>

struct item {
	struct list_head list;
	struct list_head other;
	int data;
};

struct session {
	struct mutex lock;
	struct mutex second;
	struct list_head items;
	struct list_head others;
};

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item, *n;
	(void)item; (void)n;
	struct session *session = file->private_data;
	item = kzalloc(sizeof(*item), GFP_KERNEL);
	if (!item)
		return -ENOMEM;
	item->data = 1;
	if (len & 1) {
		mutex_lock(&session->lock);
		list_add(&item->list, &session->items); // NORACE
		mutex_unlock(&session->lock);
	} else {
		mutex_lock(&session->second);
		list_add(&item->list, &session->others); // NORACE
		mutex_unlock(&session->second);
	}

	return len;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct session *session = kzalloc(sizeof(*session), GFP_KERNEL);

	if (!session)
		return -ENOMEM;
	mutex_init(&session->lock);
	mutex_init(&session->second);
	INIT_LIST_HEAD(&session->items);
	INIT_LIST_HEAD(&session->others);
	file->private_data = session;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *session = file->private_data;
	struct item *item;

	mutex_lock(&session->lock);
	list_for_each_entry(item, &session->items, list) // NORACE
		item->data++; // NORACE
	mutex_unlock(&session->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct session *session = file->private_data;
	struct item *item;

	mutex_lock(&session->second);
	list_for_each_entry(item, &session->others, list) // NORACE
		item->data--; // NORACE
	mutex_unlock(&session->second);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
