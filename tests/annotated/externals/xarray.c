/* An xarray locks itself; what is found is shared. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/xarray.h>
#include <linux/slab.h>

struct item {
	int id, count;
};

static DEFINE_XARRAY(items);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;

	if (!cmd) {
		item = xa_load(&items, arg); // NORACE
		if (item)
			item->count += item->id; // RACE!
		return 0;
	}
	item = kzalloc(sizeof(*item), GFP_KERNEL);
	if (!item)
		return -ENOMEM;
	item->id = 1; // NORACE
	xa_store(&items, arg, item, GFP_KERNEL); // NORACE
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
