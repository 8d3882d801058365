/* The bytes are those of the struct that contains a list node. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	int b;
	struct list_head list;
};

struct holder {
	struct demo *demo;
	u8 *raw;
	unsigned long word;
	void *any;
};

static DEFINE_MUTEX(a);
static DEFINE_MUTEX(b);

static LIST_HEAD(nodes);

static int demo_open(struct inode *inode, struct file *file)
{
	struct holder *h = kzalloc(sizeof(*h), GFP_KERNEL);
	struct demo *d = kzalloc(sizeof(*d), GFP_KERNEL);

	if (!h || !d)
		return -ENOMEM;
	d = list_first_entry(&nodes, struct demo, list); // RACE: of an empty list, this is a struct around its head
	h->demo = d;
	h->raw = (u8 *)d;
	file->private_data = h;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct holder *h = file->private_data;

	mutex_lock(&a);
	h->demo->b = 1; // RACE!
	mutex_unlock(&a);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct holder *h = file->private_data;

	mutex_lock(&b);
	h->raw[4] = 1; // RACE!
	mutex_unlock(&b);
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
	return misc_register(&demo_misc);
}
module_init(demo_init);
