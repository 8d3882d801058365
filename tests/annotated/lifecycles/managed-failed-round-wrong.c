/* The driver fails in one round of a loop, and leaves the interrupts of those before, which use their memory. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

struct port {
	spinlock_t lock;
	int value;
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct port *port = arg;

	spin_lock(&port->lock); // RACE!
	port->value++; // RACE!
	spin_unlock(&port->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	int i;

	for (i = 0; i < pdev->id; i++) {
		struct port *port = devm_kzalloc(&pdev->dev, sizeof(*port), GFP_KERNEL); // RACE!

		if (!port || i > 2)
			return -ENODEV;
		spin_lock_init(&port->lock);
		if (request_irq(i, demo_irq, 0, "demo", port))
			return -EBUSY;
	}
	return -ENODEV;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
