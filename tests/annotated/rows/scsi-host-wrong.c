/* A SCSI host ends with its private part while its interrupt may come. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <scsi/scsi_host.h>

struct demo {
	int level, interrupts;
};

static struct scsi_host_template demo_template = { .name = "demo", .can_queue = 1 };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct Scsi_Host *host = scsi_host_alloc(&demo_template, sizeof(struct demo));
	struct demo *demo;

	if (!host)
		return -ENOMEM;
	demo = shost_priv(host);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, host);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return scsi_add_host(host, &pdev->dev);
}

static int demo_remove(struct platform_device *pdev)
{
	struct Scsi_Host *host = platform_get_drvdata(pdev);

	scsi_remove_host(host); // RACE!
	scsi_host_put(host); // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
