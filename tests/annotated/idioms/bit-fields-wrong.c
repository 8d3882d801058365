/* Two bit-fields of one word under two locks: who stores one writes the other back, too. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	unsigned int present : 1;
	unsigned int state : 3;
	unsigned int : 0;
	unsigned int count : 8;
};

static struct demo demo;
static DEFINE_SPINLOCK(counting);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	spin_lock(&counting);
	demo.present = 1; // RACE!
	spin_unlock(&counting);
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	spin_lock(&demo.lock);
	demo.state = 2; // RACE!
	spin_unlock(&demo.lock);
	spin_lock(&counting);
	demo.count++; // NORACE
	spin_unlock(&counting);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.unlocked_ioctl = demo_ioctl,
};

static int __init demo_init(void)
{
	return register_chrdev(240, "demo", &demo_fops);
}
module_init(demo_init);
