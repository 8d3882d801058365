/* A tag set is made when others may have it. */
// verdict: potential
#include <linux/module.h>
#include <linux/blk-mq.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>

struct demo {
	struct blk_mq_tag_set set;
	int queues;
};

static struct demo *the_demo;

static void demo_map_queues(struct blk_mq_tag_set *set)
{
	struct demo *demo = container_of(set, struct demo, set);

	demo->queues = set->nr_hw_queues; // RACE!
}

static const struct blk_mq_ops demo_ops = { .map_queues = demo_map_queues };

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->set.ops = &demo_ops; // NORACE
	the_demo = demo; // RACE!
	return blk_mq_alloc_tag_set(&the_demo->set); // RACE!
}


static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
