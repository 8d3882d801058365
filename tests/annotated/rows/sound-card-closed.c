/* A sound card ends with its private part when its interrupt is over. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <sound/core.h>

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
	struct snd_card *card;
	struct demo *demo;

	if (snd_card_new(&pdev->dev, -1, NULL, THIS_MODULE, sizeof(struct demo), &card) < 0)
		return -ENOMEM;
	demo = card->private_data;
	demo->level = 1; // NORACE
	platform_set_drvdata(pdev, card);
	if (request_irq(7, demo_irq, 0, "demo", demo))
		return -EBUSY;
	return snd_card_register(card);
}

static int demo_remove(struct platform_device *pdev)
{
	struct snd_card *card = platform_get_drvdata(pdev);
	struct demo *demo = card->private_data;

	free_irq(7, demo);
	snd_card_free_when_closed(card); // RACE: that the interrupt is over is known of what a struct of the module has alone
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
