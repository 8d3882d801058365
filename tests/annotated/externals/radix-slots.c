/* The place of an item may be the head of its tree: who writes there races with who looks there. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/xarray.h>

#define radix_tree_root xarray
struct radix_tree_iter { unsigned long index, next_index, tags; };
void **radix_tree_lookup_slot(const struct radix_tree_root *root, unsigned long index);
void **radix_tree_next_chunk(const struct radix_tree_root *root, struct radix_tree_iter *iter, unsigned int flags);

static struct radix_tree_root one, all;
static int count;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	void **slot = radix_tree_lookup_slot(&one, arg); // RACE!

	if (slot)
		*slot = NULL; // RACE!
	return count; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct radix_tree_iter iter;
	void **slot = radix_tree_next_chunk(&all, &iter, 0); // RACE!

	if (slot)
		*slot = NULL; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	if (one.xa_head) // RACE!
		return 1;
	return all.xa_head ? 1 : 0; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
	return misc_register(&demo_misc);
}
module_init(demo_init);
