/* The thread waits for a work when it has completed: of an object that may be freed. */
#include <linux/module.h>
#include <linux/kthread.h>
#include <linux/completion.h>
#include <linux/compiler.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/workqueue.h>

static DECLARE_COMPLETION(exited);
static int stop;
static int rounds;
static struct work_struct work;

static int demo_thread(void *data)
{
	while (!READ_ONCE(stop)) {
		rounds++; // RACE: the callback is taken as one
		msleep(10);
	}
	complete(&exited);
	cancel_work_sync(&work);
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
	rounds = 0; // RACE: the callback is taken as one
}
module_exit(demo_exit);
