/* An IDR's own members and constant names are no way from any object to any characters. */
// assume: type-split
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int count;
};

static DEFINE_IDR(demos);
static DEFINE_MUTEX(demos_lock);
static const char *const names[] = { "first", "second" };

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int number;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	mutex_lock(&demos_lock);
	number = idr_alloc(&demos, demo, 0, 10, GFP_KERNEL);
	mutex_unlock(&demos_lock);
	return number < 0 ? number : 0;
}

struct note {
	char *text;
};

static DEFINE_IDR(notes);

static int change(char *text)
{
	return text[0]++; // RACE!
}

static int beginning(const char *text)
{
	return text[0];
}

static ssize_t demo_write(struct file *file, const char __user *from, size_t n, loff_t *pos)
{
	struct demo *demo;
	struct note *note;

	mutex_lock(&demos_lock);
	demo = idr_find(&demos, n);
	note = idr_find(&notes, n);
	mutex_unlock(&demos_lock);
	if (!demo || !note)
		return -ENOENT;
	change(note->text);
	mutex_lock(&demo->lock);
	demo->count++; // NORACE
	mutex_unlock(&demo->lock);
	return beginning(names[n & 1]);
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
