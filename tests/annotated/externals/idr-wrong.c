/* Changing an idr needs a lock: without the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/idr.h>
#include <linux/slab.h>

static DEFINE_IDR(ids);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void *entry = kmalloc(8, GFP_KERNEL);

	idr_alloc(&ids, entry, 0, 0, GFP_KERNEL); // RACE!
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
