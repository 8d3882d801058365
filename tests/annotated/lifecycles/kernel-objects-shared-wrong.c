/* What others have made for the driver they use, too: a thread itself, a device of hwmon its operations; and an optional clock may be missing. */
// verdict: potential
#include "kernel-objects.h"
#include <linux/hwmon.h>

struct clk *devm_clk_get_optional(struct device *dev, const char *id);
extern struct task_struct *this_task(void);
struct demo { int count; struct task_struct *task; };

static int demo_thread(void *data)
{
	struct task_struct *me = this_task();

	return me->flags; // RACE!
}
static int demo_read(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, long *value)
{
	*value = dev->platform_data != NULL; // RACE!
	return 0;
}
static umode_t demo_is_visible(const void *data, enum hwmon_sensor_types type, u32 attr, int channel) { return 0444; }
static const struct hwmon_ops demo_ops = { .is_visible = demo_is_visible, .read = demo_read };
static const struct hwmon_chip_info demo_chip = { .ops = &demo_ops };

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count = 1; // RACE!
	return IRQ_HANDLED;
}
static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct device *hwmon;
	struct clk *clk;

	if (!demo || request_irq(platform_get_irq(pdev, 0), demo_irq, 0, "demo", demo))
		return -ENOMEM;
	clk = devm_clk_get_optional(&pdev->dev, NULL);
	if (IS_ERR(clk))
		return PTR_ERR(clk);
	if (!clk)
		demo->count = 2; // RACE!
	demo->task = kthread_run(demo_thread, demo, "demo");
	if (IS_ERR(demo->task))
		return PTR_ERR(demo->task);
	demo->task->flags = 4; // RACE!
	hwmon = hwmon_device_register_with_info(&pdev->dev, "demo", demo, &demo_chip, NULL);
	if (IS_ERR(hwmon))
		return PTR_ERR(hwmon);
	hwmon->platform_data = demo; // RACE!
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
