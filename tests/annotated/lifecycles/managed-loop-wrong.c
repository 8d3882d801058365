/* An interrupt uses the memory of the last port, which may have been asked for later. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/spinlock.h>
#include <linux/slab.h>

#define PORTS 4

struct demo;
struct port {
	spinlock_t lock;
	int value;
	struct demo *demo;
};

struct demo {
	struct port *ports[PORTS];
};

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct port *port = ((struct port *)arg)->demo->ports[PORTS - 1]; // RACE!

	spin_lock(&port->lock); // RACE!
	port->value++; // RACE!
	spin_unlock(&port->lock);
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int i;

	if (!demo)
		return -ENOMEM;
	for (i = 0; i < pdev->id; i++) {
		struct port *port = devm_kzalloc(&pdev->dev, sizeof(*port), GFP_KERNEL); // RACE!

		if (!port)
			return -ENOMEM;
		spin_lock_init(&port->lock);
		port->demo = demo;
		demo->ports[i & (PORTS - 1)] = port; // RACE!
		if (devm_request_irq(&pdev->dev, i, demo_irq, 0, "demo", port))
			return -EBUSY;
	}
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
