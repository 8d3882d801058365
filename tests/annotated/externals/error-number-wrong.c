/* The same where the number is that of the object. */
// verdict: potential
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int a;
	u8 level;
};

static DEFINE_MUTEX(lock);
static struct demo *current_demo;

static struct demo *demo_make(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	return demo ? demo : ERR_PTR(-ENOMEM);
}

long demo_new(void)
{
	struct demo *demo = demo_make();

	if (IS_ERR(demo))
		return PTR_ERR(demo);
	mutex_lock(&lock);
	current_demo = demo;
	mutex_unlock(&lock);
	return (long)demo;
}
EXPORT_SYMBOL(demo_new);

u8 demo_look(unsigned long number)
{
	u8 byte;

	mutex_lock(&lock);
	byte = *(u8 *)number;
	mutex_unlock(&lock);
	return byte;
}
EXPORT_SYMBOL(demo_look);

u8 demo_peek(u8 *data)
{
	return *data; // RACE!
}
EXPORT_SYMBOL(demo_peek);

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	if (current_demo)
		current_demo->level = n; // RACE!
	mutex_unlock(&lock);
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
