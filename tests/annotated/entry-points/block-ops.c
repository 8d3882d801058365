/* A block device: open and release under open_mutex, nothing else. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/blkdev.h>
#include <linux/blk-mq.h>

struct demo {
	int users, busy;
};

static int demo_open(struct block_device *bdev, fmode_t mode)
{
	struct demo *demo = bdev->bd_disk->private_data; // RACE: which table the disk has is not known

	demo->users++; // NORACE
	demo->busy = 1; // RACE!
	return 0;
}

static void demo_release(struct gendisk *disk, fmode_t mode)
{
	struct demo *demo = disk->private_data; // RACE: which table the disk has is not known

	demo->users--; // NORACE
}

static int demo_ioctl(struct block_device *bdev, fmode_t mode, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = bdev->bd_disk->private_data; // RACE: which table the disk has is not known

	return demo->busy; // RACE!
}

static int demo_getgeo(struct block_device *bdev, struct hd_geometry *geo)
{
	geo->heads = 1; // NORACE
	return 0;
}

static const struct block_device_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
	.ioctl = demo_ioctl,
	.getgeo = demo_getgeo,
};

static int queued;

static unsigned char demo_queue_rq(struct blk_mq_hw_ctx *hctx, const struct blk_mq_queue_data *bd)
{
	queued++; // RACE!
	return bd->last; // NORACE
}

static const struct blk_mq_ops demo_mq_ops = { .queue_rq = demo_queue_rq };
static struct blk_mq_tag_set demo_tags = { .ops = &demo_mq_ops };

static int __init demo_init(void)
{
	struct gendisk *disk = alloc_disk(1);
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!disk || !demo || blk_mq_alloc_tag_set(&demo_tags))
		return -ENOMEM;
	disk->fops = &demo_fops;
	disk->private_data = demo; // RACE: which table the disk has is not known
	return add_disk(disk);
}
module_init(demo_init);
