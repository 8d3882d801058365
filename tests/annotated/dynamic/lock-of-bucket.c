/* A lock per bucket of a hash table; the bucket follows from the key. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

#define BUCKETS 16

struct bucket {
	spinlock_t lock;
	int entries;
};

static struct bucket table[BUCKETS];

static noinline struct bucket *bucket_of(unsigned int key)
{
	return &table[key % BUCKETS];
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int key = cmd;

	spin_lock(&bucket_of(key)->lock);
	bucket_of(key)->entries++; // NORACE
	spin_unlock(&bucket_of(key)->lock);
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
