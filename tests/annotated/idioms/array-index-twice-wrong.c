/* The second time from another number. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>

#define SLOTS 8

static spinlock_t locks[SLOTS];
static unsigned int slots[SLOTS];

static noinline unsigned int slot_of(unsigned int key)
{
	return (key ^ key >> 8) % SLOTS;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int other = cmd + 1;

	(void)other;
	spin_lock(&locks[slot_of(cmd)]);
	slots[slot_of(other)]++; // RACE!
	spin_unlock(&locks[slot_of(cmd)]);
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
