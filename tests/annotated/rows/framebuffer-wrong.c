/* A frame buffer ends with its private part while its interrupt may come. */
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

	demo->interrupts++; // RACE!
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

	unregister_framebuffer(info);
	framebuffer_release(info); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
