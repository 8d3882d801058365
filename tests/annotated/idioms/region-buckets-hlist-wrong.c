/* The bucket is that of another key. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/slab.h>
#include <linux/list.h>

#define BUCKETS 32

struct entry {
	struct hlist_node node;
	unsigned int key;
	int value;
};

static struct bucket {
	spinlock_t lock;
	struct hlist_head head;
} buckets[BUCKETS];

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct bucket *bucket = &buckets[len % BUCKETS];
	struct entry *entry = kzalloc(sizeof(*entry), GFP_KERNEL);

	if (!entry)
		return -ENOMEM;
	entry->key = len;
	spin_lock(&bucket->lock);
	hlist_add_head(&entry->node, &bucket->head); // RACE!
	spin_unlock(&bucket->lock);
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct bucket *bucket = &buckets[cmd % BUCKETS];
	struct bucket *other = &buckets[arg % BUCKETS];
	struct entry *entry;

	spin_lock(&bucket->lock);
	hlist_for_each_entry(entry, &other->head, node) // RACE!
		entry->value = arg; // RACE!
	spin_unlock(&bucket->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
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
