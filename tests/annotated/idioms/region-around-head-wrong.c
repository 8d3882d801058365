/* The end of the list is taken for the session around the head. */
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
	struct list_head items;
	struct mutex lock;
	struct mutex second;
	int count;
	struct list_head others;
};
struct elem {
	struct list_head list;
	struct session *session;
	int data;
};

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *item, *n;
	(void)item; (void)n;
	struct session *session = file->private_data;
	struct elem *elem = kzalloc(sizeof(*elem), GFP_KERNEL);
	if (!elem)
		return -ENOMEM;
	elem->data = 1;
	elem->session = session;
	mutex_lock(&session->lock);
	list_add(&elem->list, &session->items);
	mutex_unlock(&session->lock);

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
	struct elem *elem;

	mutex_lock(&session->lock);
	list_for_each_entry(elem, &session->items, list)
		container_of(elem->list.next, struct session, items)->count++; // RACE!
	mutex_unlock(&session->lock);

	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct session *session = file->private_data;
	struct elem *elem;

	(void)elem;
	mutex_lock(&session->second);
	session->count++; // RACE!
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
