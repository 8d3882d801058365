/* What functions of the block layer do to a set of tags and a queue, and whom they call; the struct around is the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/blkdev.h>
#include <linux/blk-mq.h>
#include <linux/slab.h>

struct demo {
	struct blk_mq_tag_set set;
	int count, untouched;
};
static struct demo made, freed, grown, disk_of, walked;
static struct request_queue *quiet, *limited, *optimal, *flagged;
static unsigned int table[2][8];
static int walks;

/* In the thread that asks, for one request after the other. */
static bool demo_walk(struct request *rq, void *data)
{
	int *own = data;

	walks++; // RACE!
	(*own)++; // NORACE
	return true;
}

static long demo_queues(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct blk_mq_queue_map map = { .mq_map = table[0], .nr_queues = 2 };
	struct blk_mq_queue_map other = { .mq_map = table[1], .nr_queues = 2 };
	int own = 0;

	switch (cmd) {
	case 0:
		return blk_mq_alloc_tag_set(&made.set); // RACE!
	case 1:
		blk_mq_free_tag_set(&freed.set); // RACE!
		break;
	case 2:
		blk_mq_update_nr_hw_queues(&grown.set, 2); // RACE!
		break;
	case 3:
		return IS_ERR(__blk_mq_alloc_disk(&disk_of.set, NULL, NULL)); // RACE!
	case 4:
		blk_mq_tagset_busy_iter(&walked.set, demo_walk, &own); // RACE!
		break;
	case 5:
		blk_mq_map_queues(&map); // RACE!
		blk_mq_virtio_map_queues(&other, NULL, 0); // RACE!
		break;
	case 6:
		blk_mq_freeze_queue(quiet); // NORACE
		blk_mq_unfreeze_queue(quiet); // NORACE
		blk_queue_max_hw_sectors(limited, 8); // RACE!
		blk_queue_io_opt(optimal, 8); // RACE!
		break;
	case 7:
		blk_queue_flag_set(1, flagged); // RACE!
		blk_queue_flag_clear(2, flagged); // RACE!
		break;
	}
	return 0;
}

static long demo_members(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		return made.untouched + freed.untouched + grown.untouched + disk_of.untouched; // NORACE
	case 1:
		return made.set.nr_hw_queues + freed.set.nr_maps + freed.set.nr_hw_queues; // RACE!
	case 2:
		return (long)made.set.tags + (long)freed.set.tags + (long)grown.set.tags; // RACE!
	case 3:
		return grown.set.nr_hw_queues; // RACE!
	case 4:
		return disk_of.set.flags; // RACE!
	case 5:
		walked.set.tags = NULL; // RACE!
		return quiet->queue_flags; // NORACE
	case 6:
		return limited->limits.max_sectors + limited->limits.max_hw_sectors; // RACE!
	case 7:
		return optimal->limits.io_opt; // RACE!
	}
	return flagged->queue_flags; // RACE!
}

/* From the call that makes the requests on, for all that the set leads to. */
static int demo_init_request(struct blk_mq_tag_set *set, struct request *rq, unsigned int index, unsigned int node)
{
	struct demo *demo = container_of(set, struct demo, set);

	demo->count++; // RACE!
	return 0;
}

static const struct blk_mq_ops demo_ops = { .init_request = demo_init_request };

static int demo_own(struct file *file, void *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->count = 1; // NORACE
	demo->set.ops = &demo_ops; // NORACE
	blk_mq_alloc_tag_set(&demo->set); // NORACE
	demo->count = 2; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_queues,
	.compat_ioctl = demo_members,
	.flush = demo_own,
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
