/* Interrupts of chips that end too late, or of which another one is ended: the handler may still run. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct mc13xxx;
int mc13xxx_irq_request(struct mc13xxx *chip, int irq, irq_handler_t handler, const char *name, void *dev);
int mc13xxx_irq_free(struct mc13xxx *chip, int irq, void *dev);
struct mc13xxx *find_mc13xxx(void);

struct demo { struct mc13xxx *mc; int alarms, resets; };

static irqreturn_t demo_alarm(int irq, void *data)
{
	struct demo *demo = data;

	demo->alarms++; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t demo_reset(int irq, void *data)
{
	struct demo *demo = data;

	demo->resets++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->mc = find_mc13xxx();
	platform_set_drvdata(pdev, demo);
	mc13xxx_irq_request(demo->mc, 1, demo_alarm, "demo", demo);
	mc13xxx_irq_request(demo->mc, 2, demo_reset, "demo", demo);
	demo->alarms = 0; // RACE!
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	mc13xxx_irq_free(demo->mc, 1, demo);
	kfree(demo); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
