/* What a thread has made may have another struct behind the first one. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct head {
	int used;
};

struct tail {
	int level;
};

static DEFINE_MUTEX(lock);
static struct tail *current_tail;

static int demo_open(struct inode *inode, struct file *file)
{
	size_t size = sizeof(struct head) + sizeof(struct tail);
	struct head *head = kmalloc(size, GFP_KERNEL);

	if (!head)
		return -ENOMEM;
	file->private_data = head;
	mutex_lock(&lock);
	current_tail = (struct tail *)(head + 1);
	mutex_unlock(&lock);
	memset(head, 0, size); // RACE!
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (current_tail)
		current_tail->level = cmd; // RACE!
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
