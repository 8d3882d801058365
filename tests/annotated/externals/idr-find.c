/* Looking up in an idr needs no lock; what is found is shared. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/idr.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct item {
	int id, count;
};

static DEFINE_MUTEX(lock);
static DEFINE_IDR(ids);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;

	if (!cmd) {
		item = idr_find(&ids, arg); // NORACE
		if (item)
			item->count += item->id; // RACE!
		return 0;
	}
	item = kzalloc(sizeof(*item), GFP_KERNEL);
	if (!item)
		return -ENOMEM;
	item->id = 1; // NORACE
	mutex_lock(&lock);
	idr_alloc(&ids, item, 0, 0, GFP_KERNEL); // NORACE
	mutex_unlock(&lock);
	item->count = 1; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
