/* The callback of a report of zones gets data of who has asked for the report, nothing of the driver's. */
#include <linux/module.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct zones {
	u64 length;
	int resets;
};

extern struct zones *demo_zones(void);

static DEFINE_MUTEX(lock);

static int demo_report_zones(struct gendisk *disk, sector_t sector, unsigned int count, report_zones_cb cb, void *data)
{
	struct blk_zone zone = { .start = sector };

	return cb(&zone, 0, data); // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&lock);
	demo_zones()->resets++; // NORACE
	mutex_unlock(&lock);
	return len;
}

static const struct block_device_operations demo_ops = {
	.owner = THIS_MODULE,
	.report_zones = demo_report_zones,
};

const struct block_device_operations *demo_operations(void)
{
	return &demo_ops;
}
EXPORT_SYMBOL(demo_operations);

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
