/* What copies the bytes of a pointer within an object of the thread's own is a function whose row only says that it reads and
   writes there; the copy is then read by halves. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

union place {
	int *data;
	u32 half[2];
};

struct frame {
	union place place, other;
};

extern void __bitmap_or(unsigned long *to, const unsigned long *a, const unsigned long *b, unsigned int bits);

static DEFINE_MUTEX(lock);
static union place shared;

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct frame *frame = kmalloc(sizeof(*frame), GFP_KERNEL);
	int *data = kmalloc(sizeof(int), GFP_KERNEL);

	if (!frame || !data)
		return -ENOMEM;
	frame->place.data = data;
	__bitmap_or((unsigned long *)&frame->other, (unsigned long *)&frame->place, (unsigned long *)&frame->place, 64);
	mutex_lock(&lock);
	shared.half[0] = frame->other.half[0];
	shared.half[1] = frame->other.half[1];
	mutex_unlock(&lock);
	*data = len; // MISSED: nobody sees that the row copies a pointer
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	int *found;

	mutex_lock(&lock);
	found = shared.data;
	mutex_unlock(&lock);
	return found ? *found : 0; // MISSED: see above
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
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
