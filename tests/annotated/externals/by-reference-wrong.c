/* The same where the address of a member is put there. */
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

static DEFINE_MUTEX(byte_lock);
static u8 *current_byte;

static void demo_buffer(u8 **out)
{
	*out = current_demo ? &current_demo->level : current_byte;
}

static void demo_object(struct demo **out)
{
	*out = kzalloc(sizeof(**out), GFP_KERNEL);
}

void demo_new(void)
{
	struct demo *demo;

	demo_object(&demo);
	if (!demo)
		return;
	mutex_lock(&lock);
	current_demo = demo;
	mutex_unlock(&lock);
	mutex_lock(&byte_lock);
	current_byte = kmalloc(16, GFP_KERNEL);
	mutex_unlock(&byte_lock);
}
EXPORT_SYMBOL(demo_new);

void demo_clear(void)
{
	u8 *buffer;

	mutex_lock(&byte_lock);
	mutex_lock(&lock);
	demo_buffer(&buffer);
	mutex_unlock(&lock);
	if (buffer)
		memset(buffer, 0, 1); // RACE!
	mutex_unlock(&byte_lock);
}
EXPORT_SYMBOL(demo_clear);

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
