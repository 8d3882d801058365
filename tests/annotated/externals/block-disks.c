/* What functions of the block layer do to a disk: its size, its numbers and its end; all else is the driver's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/blkdev.h>
#include <linux/slab.h>

struct demo {
	struct gendisk *disk, *sized, *known, *added, *gone, *scanned, *empty, *next;
	int count;
};
static struct demo demo;

static const struct block_device_operations demo_fops = { .owner = THIS_MODULE };

static long demo_disks(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		set_disk_ro(demo.disk, true); // NORACE
		sync_blockdev(demo.disk->part0); // NORACE
		break;
	case 1:
		set_capacity(demo.sized, arg); // RACE!
		break;
	case 2:
		set_capacity_and_notify(demo.known, arg); // RACE!
		break;
	case 3:
		invalidate_disk(demo.empty); // RACE!
		break;
	case 4:
		mutex_lock(&demo.scanned->open_mutex);
		bdev_disk_changed(demo.scanned, true); // RACE!
		mutex_unlock(&demo.scanned->open_mutex);
		break;
	case 5:
		return device_add_disk(NULL, demo.added, NULL); // RACE!
	case 6:
		del_gendisk(demo.gone); // RACE!
		break;
	}
	return 0;
}

static long demo_numbers(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		return demo.disk->minors; // NORACE
	case 1:
		return get_capacity(demo.sized); // RACE!
	case 2:
		return demo.disk->part0->bd_nr_sectors; // RACE!
	case 3:
		return demo.added->minors + demo.added->first_minor; // RACE!
	case 4:
		return demo.added->flags + demo.added->major; // RACE!
	case 5:
		return (long)demo.gone->slave_dir; // RACE!
	case 6:
		return demo.gone->part0->bd_stamp; // RACE!
	case 7:
		return demo.sized->part0->bd_inode->i_size; // RACE!
	}
	return demo.count; // NORACE
}

static struct gendisk *shared;

/* Nobody but who has made it knows a disk, until he tells. */
static int demo_make(struct file *file, void *id)
{
	struct gendisk *disk = __blk_alloc_disk(0, NULL);

	if (!disk)
		return -ENOMEM;
	disk->fops = &demo_fops; // NORACE
	disk->major = 1; // NORACE
	blk_queue_io_opt(disk->queue, 512); // NORACE
	disk->part0->bd_stamp = 1; // NORACE
	if (device_add_disk(NULL, disk, NULL)) { // RACE!
		put_disk(disk); // RACE!
		return -ENOMEM;
	}
	disk->slave_dir = id; // RACE!
	shared = disk; // RACE!
	return 0;
}

static ssize_t demo_end(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	put_disk(shared); // RACE!
	return len;
}

static ssize_t demo_use(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct gendisk *disk = shared; // RACE!

	return disk->first_minor; // RACE!
}

static const struct file_operations demo_file_ops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_disks,
	.compat_ioctl = demo_numbers,
	.flush = demo_make,
	.write = demo_end,
	.read = demo_use,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_file_ops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
