/* Pieces of a pointer that are only compared, or say where in a table to look, lead nowhere. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/slab.h>

struct back {
	int x, level;
};

static DEFINE_MUTEX(lock);
static struct back *back;

static int table[16];

static int demo_open(struct inode *inode, struct file *file)
{
	struct back *b = kzalloc(sizeof(*b), GFP_KERNEL);

	mutex_lock(&lock);
	if (!back && !((u32)(unsigned long)b & 7)) {
		table[((u32)(unsigned long)b >> 4) & 15]++; // NORACE
		back = b; // NORACE
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	if (back)
		back->level = n; // NORACE
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	int level;

	mutex_lock(&lock);
	level = back ? back->level : 0; // NORACE
	mutex_unlock(&lock);
	return level;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
	.poll = demo_poll,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
