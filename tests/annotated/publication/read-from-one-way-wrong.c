/* Pointers that are in an object on one way only, or at an index: what is read from there may be one of them. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct part {
	int first;
	int second;
};

struct box {
	struct part *slots[4];
	struct part *kept;
	int used;
};

static struct part *shared_first, *shared_second;

static int demo_open(struct inode *inode, struct file *file)
{
	struct box *box = kmalloc(sizeof(*box), GFP_KERNEL);
	struct part *one = kzalloc(sizeof(*one), GFP_KERNEL);
	struct part *other = kzalloc(sizeof(*other), GFP_KERNEL);
	int i;

	if (!box || !one || !other)
		return -ENOMEM;
	if (file->f_flags & 4)
		box->kept = one;
	box->used = 4;
	for (i = 0; i < 4; i++)
		box->slots[i] = other;
	WRITE_ONCE(shared_first, box->kept);
	WRITE_ONCE(shared_second, box->slots[file->f_flags & 3]);
	one->first = 1; // RACE!
	other->second = 1; // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct part *one = READ_ONCE(shared_first);
	struct part *other = READ_ONCE(shared_second);

	if (one)
		one->first = 2; // RACE!
	if (other)
		other->second = 2; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
