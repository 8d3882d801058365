/* The data are in the next platform device, too: its remove ends them while that of this one, or its probe, starts the work. */
// verdict: potential
#include <linux/module.h>
#include <linux/input.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct demo {
	struct work_struct work;
	struct input_dev *input;
	int count;
};

extern struct platform_device *demo_next;

static void demo_work(struct work_struct *work) // RACE!
{
	struct demo *demo = container_of(work, struct demo, work);

	demo->count++; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->input = input_allocate_device();
	if (!demo->input) {
		kfree(demo);
		return -ENOMEM;
	}
	input_set_drvdata(demo->input, demo);
	INIT_WORK(&demo->work, demo_work);
	platform_set_drvdata(pdev, demo); // RACE!
	platform_set_drvdata(demo_next, demo); // RACE!
	schedule_work(&demo->work); // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev); // RACE!

	cancel_work_sync(&demo->work); // RACE!
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
