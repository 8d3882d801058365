/* A writer in a reader's section. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/seqlock.h>

static DEFINE_SEQLOCK(lock);
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned int start = read_seqbegin(&lock);

	events++; // RACE!
	if (read_seqretry(&lock, start))
		return -EAGAIN;
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
