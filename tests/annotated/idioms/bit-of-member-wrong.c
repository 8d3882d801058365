/* As bit-of-member.c, but the long is also written without an atomic operation, a table of longs has more than one, and what is
 * indexed otherwise may be behind the member. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/bitops.h>
#include <linux/slab.h>

struct ring {
	int limit;
	unsigned long free;
	int size;
	unsigned long many[4];
	unsigned long first;
	unsigned long second;
};

static struct ring *ring;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	set_bit(arg, &ring->free); // RACE!
	set_bit(arg, ring->many); // RACE!
	(&ring->first)[arg] = 1; // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ring->free = 0; // RACE!
	ring->many[2] = len; // RACE!
	return ring->second; // RACE!
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
