/* What a file in debugfs shows, its user sets: meanwhile, too. */
#include <linux/module.h>
// assume: outside-callback: debugfs_create_u32
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

void debugfs_create_u32(const char *name, umode_t mode, struct dentry *parent, u32 *value);

struct demo {
	int users;
	u32 second;
	u32 quiet;
	spinlock_t a, b;
};
static struct demo *demo;
static int count, calm;

static ssize_t demo_write(struct file *file, const char __user *text, size_t len, loff_t *pos)
{
	spinlock_t *lock = READ_ONCE(demo->second) ? &demo->b : &demo->a;

	spin_lock(lock);
	count++; // RACE!
	spin_unlock(lock);
	lock = READ_ONCE(demo->quiet) ? &demo->b : &demo->a;
	spin_lock(lock);
	calm++; // NORACE
	spin_unlock(lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .write = demo_write };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->a);
	spin_lock_init(&demo->b);
	debugfs_create_u32("second", 0644, NULL, &demo->second);
	return misc_register(&demo_misc);
}
module_init(demo_init);
