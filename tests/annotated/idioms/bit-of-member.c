/* Which of the buffers are free is a bit for each of them, in one long. Who changes a bit changes that long and nothing else. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>
#include <linux/slab.h>

struct ring {
	int limit;
	unsigned long free;
	int size;
	unsigned long used;
};

static struct ring *ring;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (!test_and_clear_bit(arg, &ring->free)) // NORACE
		return ring->size; // NORACE
	set_bit(arg, &ring->used); // NORACE
	return ring->limit; // NORACE
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	clear_bit(len, &ring->used); // NORACE
	set_bit(len, &ring->free); // NORACE
	return ring->size; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	ring = kzalloc(sizeof(*ring), GFP_KERNEL);
	if (!ring)
		return -ENOMEM;
	ring->size = 8;
	return misc_register(&demo_misc);
}
module_init(demo_init);
