/* Elements that point to each other, and back to a list's head on the stack, on some paths only. */
// verdict: potential
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct buffer {
	struct list_head list;
	int size;
};

static LIST_HEAD(pending);
static DEFINE_SPINLOCK(pending_lock);
static int reclaimed;

static void reclaim(void)
{
	struct buffer *buf, *next;
	unsigned long flags;
	LIST_HEAD(mine);

	if (list_empty(&pending)) // RACE!
		return;
	spin_lock_irqsave(&pending_lock, flags);
	list_cut_position(&mine, &pending, pending.prev); // RACE!
	reclaimed++; // NORACE
	spin_unlock_irqrestore(&pending_lock, flags);
	list_for_each_entry_safe(buf, next, &mine, list) { // RACE: lists that were cut apart are not told apart
		list_del(&buf->list); // RACE: as above
		kfree(buf); // RACE: as above
	}
}

static ssize_t cut_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct buffer *new;

	reclaim();
	new = kmalloc(sizeof(*new), GFP_KERNEL);
	if (!new)
		return -ENOMEM;
	new->size = n;
	spin_lock_irq(&pending_lock);
	list_add_tail(&new->list, &pending); // RACE: as above
	spin_unlock_irq(&pending_lock);
	reclaim();
	return n;
}

static const struct file_operations cut_fops = {
	.owner = THIS_MODULE,
	.write = cut_write,
};

static struct miscdevice cut_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "cut",
	.fops = &cut_fops,
};

static int __init cut_init(void)
{
	return misc_register(&cut_misc);
}
module_init(cut_init);
