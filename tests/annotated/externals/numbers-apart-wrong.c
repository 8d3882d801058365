/* The same, but the module has put the address of one of its structs there. */
// verdict: potential
#include <linux/blk-mq.h>
#include <linux/export.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	unsigned int a;
	unsigned int level;
};

static DEFINE_MUTEX(lock);
static struct demo *current_demo;
static struct blk_mq_queue_map demo_map;

unsigned int demo_look(struct blk_mq_queue_map *map)
{
	return map->mq_map[1]; // RACE!
}
EXPORT_SYMBOL(demo_look);

void *demo_new(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return NULL;
	mutex_lock(&lock);
	current_demo = demo;
	mutex_unlock(&lock);
	demo_map.mq_map = (unsigned int *)demo; // RACE!
	return demo;
}
EXPORT_SYMBOL(demo_new);

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
