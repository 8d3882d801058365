/* The completion is counted up from the start. */
#include <linux/module.h>
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/err.h>

static struct completion exited = { .done = 1 };
static int stop;
static int rounds;

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
