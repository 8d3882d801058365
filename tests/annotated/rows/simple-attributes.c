/* Attributes that are numbers: two open files are two calls; the value that is asked for is the call's own. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/mutex.h>

int simple_attr_open(struct inode *inode, struct file *file, int (*get)(void *data, u64 *value), int (*set)(void *data, u64 value),
		     const char *format);

static DEFINE_MUTEX(lock);
static int guarded, level, asked;

static int demo_get(void *data, u64 *value)
{
	mutex_lock(&lock);
	*value = guarded; // NORACE
	mutex_unlock(&lock);
	asked++; // RACE!
	return level; // RACE!
}

static int demo_set(void *data, u64 value)
{
	mutex_lock(&lock);
	guarded = value; // NORACE
	mutex_unlock(&lock);
	level = value; // RACE!
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	return simple_attr_open(inode, file, demo_get, demo_set, "%llu"); // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static int __init demo_init(void)
{
	debugfs_create_file("demo", 0600, NULL, NULL, &demo_fops);
	return 0;
}
module_init(demo_init);
