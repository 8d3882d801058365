// verdict: potential
/* Adding a GPIO chip sets the domain of its interrupts, removing it ends that: an interrupt handler of the driver's must not run yet
   (drivers/gpio/gpio-pca953x.c:955 beside 893) or any more (gpio-rcar.c:596 beside 230). */
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct irq_domain;
struct gpio_irq_chip { struct irq_domain *domain; };
struct gpio_chip { void *gpiodev; int (*to_irq)(struct gpio_chip *gc, unsigned int offset); int base; struct gpio_irq_chip irq; };
int gpiochip_add_data_with_key(struct gpio_chip *gc, void *data, void *lock_key, void *request_key);
void gpiochip_remove(struct gpio_chip *gc);

struct demo { struct gpio_chip chip; };

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	return demo->chip.irq.domain ? IRQ_HANDLED : IRQ_NONE; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	if (request_irq(1, demo_irq, 0, "demo", demo))
		return -EBUSY;
	gpiochip_add_data_with_key(&demo->chip, demo, NULL, NULL); // RACE!
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	gpiochip_remove(&demo->chip); // RACE!
	free_irq(1, demo);
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
