/* A Bluetooth device ends with its private part when its interrupt is over. */
// verdict: race-free
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <net/bluetooth/hci_core.h>

struct demo {
	int level, interrupts;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct demo *demo = arg;

	demo->interrupts++; // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct hci_dev *hdev = hci_alloc_dev_priv(sizeof(struct demo));
	struct demo *demo;

	if (!hdev)
		return -ENOMEM;
	demo = hci_get_priv(hdev);
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, hdev);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return hci_register_dev(hdev);
}

static int demo_remove(struct platform_device *pdev)
{
	struct hci_dev *hdev = platform_get_drvdata(pdev);
	struct demo *demo = hci_get_priv(hdev);

	hci_unregister_dev(hdev);
	free_irq(7, demo);
	hci_free_dev(hdev); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
