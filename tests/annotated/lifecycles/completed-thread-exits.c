/* A thread ends with what it says. */
#include <linux/module.h>
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/err.h>

static DECLARE_COMPLETION(exited);
static int stop;
static int rounds;

static int demo_thread(void *data)
{
	while (!READ_ONCE(stop)) {
		rounds++; // NORACE
		msleep(10);
	}
	kthread_complete_and_exit(&exited, 0);
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
	rounds = 0; // NORACE
}
module_exit(demo_exit);
