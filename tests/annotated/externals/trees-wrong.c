/* A red-black tree without a lock: turning it writes to nodes that the caller did not name. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct rb_node { unsigned long __rb_parent_color; struct rb_node *rb_right, *rb_left; };
struct rb_root { struct rb_node *rb_node; };
void rb_insert_color(struct rb_node *node, struct rb_root *root);
void rb_erase(struct rb_node *node, struct rb_root *root);
void rb_replace_node(struct rb_node *old, struct rb_node *new, struct rb_root *root);
struct rb_node *rb_first(const struct rb_root *root);
struct rb_node *rb_next(const struct rb_node *node);

struct entry {
	struct rb_node node;
	int id;
};
static struct rb_root added, removed, replaced, walked;
static struct entry one, two, old, new, root;

static long demo_add(struct file *file, unsigned int cmd, unsigned long arg)
{
	rb_insert_color(&one.node, &added); // RACE!
	return one.id; // NORACE
}

static long demo_added(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd)
		return one.node.rb_left != NULL; // RACE!
	return added.rb_node->rb_right != NULL; // RACE!
}

static int demo_remove(struct file *file, void *id)
{
	rb_erase(&two.node, &removed); // RACE!
	return two.id; // NORACE
}

static int demo_removed(struct file *file, loff_t start, loff_t end, int datasync)
{
	if (datasync)
		return two.node.rb_left != NULL; // RACE!
	return removed.rb_node->rb_left->rb_right != NULL; // RACE!
}

static ssize_t demo_replace(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	rb_replace_node(&old.node, &new.node, &replaced); // RACE!
	return old.id + new.id; // NORACE
}

static ssize_t demo_replaced(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	old.node.rb_right = NULL; // RACE!
	return new.node.rb_left != NULL; // RACE!
}

static loff_t demo_walk(struct file *file, loff_t offset, int whence)
{
	struct rb_node *node = rb_first(&walked); // RACE!

	return node && rb_next(node) ? 1 : 0; // RACE!
}

static __poll_t demo_change(struct file *file, struct poll_table_struct *table)
{
	walked.rb_node = &root.node; // RACE!
	root.node.rb_left = NULL; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_add,
	.compat_ioctl = demo_added,
	.flush = demo_remove,
	.fsync = demo_removed,
	.write = demo_replace,
	.read = demo_replaced,
	.llseek = demo_walk,
	.poll = demo_change,
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
