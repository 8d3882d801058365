/* regmap reads into the caller's buffer. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/regmap.h>

static DEFINE_MUTEX(lock);
static struct regmap *map;
static unsigned int value;
static u8 buffer[8];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	regmap_read(map, 1, &value); // NORACE
	regmap_raw_read(map, 2, buffer, 4); // NORACE
	regmap_raw_write(map, 2, buffer, 4); // NORACE
	regmap_write(map, 1, value); // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
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
