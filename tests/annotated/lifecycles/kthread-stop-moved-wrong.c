/* A callback puts the task of another object into this one. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/kthread.h>

struct demo {
	struct task_struct *task;
	int rounds;
	struct demo *next;
};

static int last;

static int demo_thread(void *data)
{
	struct demo *demo = data;

	while (!kthread_should_stop())
		WRITE_ONCE(last, demo->rounds); // RACE!
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->rounds = 1; // NORACE
	platform_set_drvdata(pdev, demo);
	demo->task = kthread_run(demo_thread, demo, "demo"); // RACE: the thread of another demo is stopped, and so may end twice
	return 0;
}

static int demo_suspend(struct platform_device *pdev, int state)
{
	struct demo *demo = platform_get_drvdata(pdev);

	demo->task = demo->next->task;
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	kthread_stop(demo->task); // RACE: the thread of another demo is stopped, and so may end twice
	demo->rounds = 0; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.suspend = demo_suspend,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
