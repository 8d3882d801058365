/* Writers of a seqlock exclude each other; readers notice them. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/seqlock.h>

static DEFINE_SEQLOCK(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int start;
	int value;

	if (cmd) {
		write_seqlock(&lock);
		WRITE_ONCE(events, events + 1); // NORACE
		write_sequnlock(&lock);
		return 0;
	}
	do {
		start = read_seqbegin(&lock); // NORACE
		value = READ_ONCE(events); // NORACE
	} while (read_seqretry(&lock, start)); // NORACE
	arg = value;
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
