/* Somebody else completes, too. */
#include <linux/module.h>
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

static DECLARE_COMPLETION(exited);
static int stop;
static int rounds;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	complete(&exited);
	return 0;
}

static const struct file_operations demo_fops = {
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int demo_thread(void *data)
{
	while (!READ_ONCE(stop)) {
		rounds++; // RACE!
		msleep(10);
	}
	complete(&exited);
	return 0;
}

static int __init demo_init(void)
{
	struct task_struct *task = kthread_run(demo_thread, NULL, "demo");

	misc_register(&demo_misc);
	return IS_ERR(task) ? PTR_ERR(task) : 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	WRITE_ONCE(stop, 1);
	wait_for_completion(&exited);
	rounds = 0; // RACE!
}
module_exit(demo_exit);
