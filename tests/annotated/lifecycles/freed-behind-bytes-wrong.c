/* By a number of bytes: the second struct lies behind the first in its allocation, and is read without the lock. */
// verdict: potential
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct front {
	int a;
};

struct back {
	int level;
};

static DEFINE_MUTEX(lock);
static struct front *front;
static struct back *back;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	if (!front)
		front = kzalloc(sizeof(*front) + sizeof(*back), GFP_KERNEL);
	if (front)
		WRITE_ONCE(back, (void *)front + sizeof(*front));
	inode->i_private = front;
	file->private_data = back;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	kfree(front); // RACE!
	front = NULL;
	mutex_unlock(&lock);
	return n;
}

static __poll_t demo_poll(struct file *file, struct poll_table_struct *wait)
{
	struct back *b = READ_ONCE(back);

	return b ? b->level : 0; // RACE!
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
