/* What is freed is put together from the halves of a pointer, in a local variable of its type. */
// verdict: potential
// assume: int-to-pointer
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

struct halves {
	u32 lo, hi;
};
static struct halves halves;

static int demo_open(struct inode *inode, struct file *file)
{
	struct back *b = kzalloc(sizeof(*b), GFP_KERNEL);

	mutex_lock(&lock);
	if (!back) {
		WRITE_ONCE(back, b);
		halves.lo = (u32)(unsigned long)b;
		halves.hi = (unsigned long)b >> 32;
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct back *b;

	mutex_lock(&lock);
	b = (void *)((unsigned long)halves.lo | (unsigned long)halves.hi << 32);
	kfree(b); // RACE!
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
