/* What a reader of a seqlock reads unmarked is read again if it changed. */
// verdict: potential
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
		events++; // RACE: the reader starts again
		write_sequnlock(&lock);
		return 0;
	}
	do {
		start = read_seqbegin(&lock);
		value = events; // RACE: the reader starts again
	} while (read_seqretry(&lock, start));
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
