/* A loop with two entries. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

static DEFINE_MUTEX(lock);
static int events;
int demo_more(void);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd == 1)
		goto inside;
	mutex_lock(&lock);
again:
	events++; // RACE!
inside:
	if (demo_more())
		goto again;
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
