/* A thread is started, and both it and its maker go on. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/kthread.h>
#include <linux/slab.h>

struct demo {
	int rounds;
	int limit;
};

static int demo_thread(void *data)
{
	struct demo *demo = data;

	while (!kthread_should_stop())
		if (++demo->rounds > demo->limit) // RACE!
			break;
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rounds = 1; // NORACE
	kthread_run(demo_thread, demo, "demo");
	demo->limit = 9; // RACE!
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
