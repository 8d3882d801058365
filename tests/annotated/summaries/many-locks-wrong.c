/* One of many locks that a procedure gives back is not its own: it may be the one that its caller holds. */
// verdict: potential
// inline-limit: 0
// assume: summary
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	struct mutex lock;
	int visits;
	struct demo *next;
};

static DEFINE_MUTEX(walk);
static int walks;
static struct demo *head;
static struct mutex *any;

#define VISIT() do {                         \
	demo = smp_load_acquire(&demo->next); \
	mutex_lock(&demo->lock);              \
	WRITE_ONCE(demo->visits, 1);          \
	mutex_unlock(&demo->lock);            \
} while (0)
#define VISIT9() do { VISIT(); VISIT(); VISIT(); VISIT(); VISIT(); VISIT(); VISIT(); VISIT(); VISIT(); } while (0)

/* More locks than a summary speaks of. */
static noinline void demo_walk(struct demo *demo)
{
	VISIT9();
	VISIT9();
	VISIT9();
	VISIT9();
	VISIT9();
	VISIT9();
	VISIT9();
	VISIT9();
	mutex_unlock(READ_ONCE(any));
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&walk);
	demo_walk(smp_load_acquire(&head));
	walks++; // RACE!
	mutex_unlock(&walk);
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	smp_store_release(&demo->next, smp_load_acquire(&head));
	smp_store_release(&head, demo);
	WRITE_ONCE(any, (inode->i_rdev ? &walk : &demo->lock));
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
