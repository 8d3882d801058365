/* A red-black tree locks nothing, its users do; who walks over an idr calls back at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/idr.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct rb_node { unsigned long __rb_parent_color; struct rb_node *rb_right, *rb_left; };
struct rb_root { struct rb_node *rb_node; };
void rb_insert_color(struct rb_node *node, struct rb_root *root);
void rb_erase(struct rb_node *node, struct rb_root *root);
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);
int idr_for_each(const struct idr *idr, int (*function)(int id, void *item, void *data), void *data);
void *bsearch(const void *key, const void *base, size_t n, size_t size, int (*compare)(const void *a, const void *b));

struct item { int id, count; };
static DEFINE_MUTEX(lock);

struct entry {
	struct rb_node node;
	int id;
};
static struct rb_root sorted;

static long demo_sorted(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);
	struct rb_node *node;

	if (!entry)
		return -ENOMEM;
	mutex_lock(&lock);
	entry->node.rb_left = sorted.rb_node; // NORACE
	sorted.rb_node = &entry->node; // NORACE
	rb_insert_color(&entry->node, &sorted); // NORACE
	for (node = rb_first(&sorted); node; node = rb_next(node)) // NORACE
		if (container_of(node, struct entry, node)->id) // NORACE
			break;
	if (node)
		rb_erase(node, &sorted); // NORACE
	mutex_unlock(&lock);
	return 0;
}

static DEFINE_IDR(items);
static struct item *kept;
static int walks, sizes;
static int numbers[8];

static int demo_each(int id, void *item, void *data)
{
	int *own = data;

	(*own)++; // NORACE
	walks++; // RACE!
	return ((struct item *)item)->count; // RACE!
}

static int demo_compare(const void *a, const void *b)
{
	sizes++; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int own = 0, key = 1;

	if (kept)
		kept->count++; // RACE!
	idr_for_each(&items, demo_each, &own); // NORACE
	bsearch(&key, numbers, 8, 4, demo_compare); // RACE!
	return own;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	numbers[0] = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.compat_ioctl = demo_sorted,
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
	kept = kzalloc(sizeof(*kept), GFP_KERNEL); // NORACE
	if (!kept || idr_alloc(&items, kept, 0, 0, GFP_KERNEL) < 0) // NORACE
		return -ENOMEM;
	return misc_register(&demo_misc);
}
module_init(demo_init);
