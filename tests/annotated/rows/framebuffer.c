/* A frame buffer ends with its private part when its interrupt is over. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/fb.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE: that the interrupt is over is known of what a struct of the module has alone
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct fb_info *info = framebuffer_alloc(sizeof(struct demo), &pdev->dev);
	struct demo *demo;

	if (!info)
		return -ENOMEM;
	demo = info->par;
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, info);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return register_framebuffer(info);
}

static int demo_remove(struct platform_device *pdev)
{
	struct fb_info *info = platform_get_drvdata(pdev);
	struct demo *demo = info->par;

	unregister_framebuffer(info);
	free_irq(7, demo);
	framebuffer_release(info); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
