/* A session begins as a copy of another, with its pointer to the same elements. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

struct item {
	struct item *next;
	int data;
};

struct session {
	spinlock_t lock;
	struct item *items;
};

static struct session proto;
static int demo_open(struct inode *inode, struct file *file)
{
	struct session *s;

	spin_lock(&proto.lock);
	s = kmemdup(&proto, sizeof(*s), GFP_ATOMIC);
	spin_unlock(&proto.lock);
	if (!s)
		return -ENOMEM;
	spin_lock_init(&s->lock);
	file->private_data = s;
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct item *i = kzalloc(sizeof(*i), GFP_KERNEL);

	if (!i)
		return -ENOMEM;
	spin_lock(&proto.lock);
	i->next = proto.items;
	proto.items = i;
	spin_unlock(&proto.lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct session *s = file->private_data;
	struct item *i = kzalloc(sizeof(*i), GFP_KERNEL);

	spin_lock(&s->lock);
	if (s->items)
		s->items->data++; // RACE!
	if (i && cmd) {
		i->next = s->items;
		s->items = i;
	}
	spin_unlock(&s->lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos) { return 0;
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
module_misc_device(demo_misc);
