/* The module frees what lies in front of a struct, and goes back from that to get there. */
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
static void *memory;
static struct back *back;

static int demo_open(struct inode *inode, struct file *file)
{
	mutex_lock(&lock);
	if (!memory)
		memory = kzalloc(sizeof(struct front) + sizeof(*back), GFP_KERNEL);
	if (memory)
		WRITE_ONCE(back, memory + sizeof(struct front));
	inode->i_private = memory;
	file->private_data = back;
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct front *front;

	mutex_lock(&lock);
	if (back) {
		front = (void *)((char *)back - sizeof(*front));
		kfree(front); // RACE!
	}
	memory = NULL;
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
