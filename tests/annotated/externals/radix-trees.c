/* A radix tree locks nothing, its users do; what is in it is shared. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/xarray.h>
#include <linux/slab.h>

#define radix_tree_root xarray
struct radix_tree_iter { unsigned long index, next_index, tags; };
int radix_tree_insert(struct radix_tree_root *root, unsigned long index, void *item);
void *radix_tree_delete(struct radix_tree_root *root, unsigned long index);
void *radix_tree_tag_set(struct radix_tree_root *root, unsigned long index, unsigned int tag);
void *radix_tree_lookup(const struct radix_tree_root *root, unsigned long index);
unsigned int radix_tree_gang_lookup(const struct radix_tree_root *root, void **items, unsigned long first, unsigned int n);
void **radix_tree_next_chunk(const struct radix_tree_root *root, struct radix_tree_iter *iter, unsigned int flags);

struct item { int id, count; };
static DEFINE_MUTEX(lock);

/* A tree in a struct with more in it. */
struct pages {
	struct radix_tree_root tree;
	int count;
};
static struct pages locked, open, tagged;
static void *found[4];
static struct radix_tree_iter iterator;

static long demo_radix(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct item *item;
	void *own[4];

	switch (cmd) {
	case 0:
		item = kzalloc(sizeof(*item), GFP_KERNEL);
		if (!item)
			return -ENOMEM;
		item->id = 1; // NORACE
		mutex_lock(&lock);
		radix_tree_insert(&locked.tree, arg, item); // NORACE
		radix_tree_delete(&locked.tree, arg + 1); // NORACE
		mutex_unlock(&lock);
		item->count = 1; // RACE!
		break;
	case 1:
		item = radix_tree_lookup(&locked.tree, arg); // NORACE
		return item ? item->count : 0; // RACE!
	case 2:
		radix_tree_insert(&open.tree, arg, NULL); // RACE!
		radix_tree_delete(&open.tree, arg); // RACE!
		break;
	case 3:
		radix_tree_tag_set(&tagged.tree, arg, 1); // RACE!
		break;
	case 4:
		if (radix_tree_gang_lookup(&locked.tree, own, arg, 4)) // NORACE
			return ((struct item *)own[0])->count; // RACE!
		radix_tree_gang_lookup(&locked.tree, found, arg, 4); // RACE!
		radix_tree_next_chunk(&locked.tree, &iterator, 0); // RACE!
		break;
	}
	return locked.count + open.count + tagged.count; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_radix,
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
