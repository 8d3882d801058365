/* As registration-failed, where what was made has parts, is filled by an index, and is given up at one place for all
 * failures: what the parts hold is not the same on all ways that lead there. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo;

struct part {
	struct demo *owner;
	int count;
};

struct demo {
	struct miscdevice misc;
	struct mutex lock;
	unsigned char keys[8];
	struct part *part;
	char *buffer;
	int count;
};

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = container_of(file->private_data, struct demo, misc);

	mutex_lock(&demo->lock);
	demo->count++; // NORACE
	demo->part->count++; // NORACE
	mutex_unlock(&demo->lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err = -ENOMEM;
	int i;

	if (!demo)
		return err;
	mutex_init(&demo->lock);
	demo->part = kmalloc(sizeof(*demo->part), GFP_KERNEL);
	if (!demo->part)
		goto free;
	demo->buffer = kmalloc(16, GFP_KERNEL);
	if (!demo->buffer)
		goto free;
	for (i = 0; i < 8; i++)
		demo->keys[i] = i + 1; // NORACE
	demo->part->owner = demo;
	demo->part->count = 0; // NORACE
	demo->misc.minor = MISC_DYNAMIC_MINOR;
	demo->misc.name = "demo";
	demo->misc.fops = &demo_fops;
	err = misc_register(&demo->misc);
	if (err)
		goto free;
	return 0;
free:
	demo->count = 0; // NORACE
	kfree(demo->buffer); // NORACE
	kfree(demo->part); // NORACE
	kfree(demo); // NORACE
	return err;
}
module_init(demo_init);
