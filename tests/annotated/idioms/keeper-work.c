/* A work gets the very object that has it. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct job {
	struct work_struct work;
	int state;
};

struct demo {
	struct job *first;
	struct job *second;
};

static DEFINE_MUTEX(demo_lock);

static void demo_first(struct work_struct *work)
{
	struct job *job = container_of(work, struct job, work);

	job->state++; // NORACE
}

static void demo_second(struct work_struct *work)
{
}

static ssize_t demo_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	return demo->second->state; // NORACE
}
static DEVICE_ATTR_RO(demo);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->first = kzalloc(sizeof(*demo->first), GFP_KERNEL);
	demo->second = kzalloc(sizeof(*demo->second), GFP_KERNEL);
	if (!demo->first || !demo->second)
		return -ENOMEM;
	INIT_WORK(&demo->first->work, demo_first);
	INIT_WORK(&demo->second->work, demo_second);
	platform_set_drvdata(pdev, demo);
	schedule_work(&demo->first->work);
	schedule_work(&demo->second->work);
	return device_create_file(&pdev->dev, &dev_attr_demo);
}

static int demo_remove(struct platform_device *pdev)
{
	device_remove_file(&pdev->dev, &dev_attr_demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
