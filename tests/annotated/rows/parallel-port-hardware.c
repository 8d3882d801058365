/* The hardware of a parallel port: whoever shares the port calls its functions from when it is announced; that it is removed
   waits for none of them. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/parport.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct demo { spinlock_t lock; int control, data, base; };

static void demo_write_data(struct parport *port, unsigned char data)
{
	struct demo *demo = port->private_data;

	demo->data = data; // RACE!
}

static unsigned char demo_read_status(struct parport *port)
{
	struct demo *demo = port->private_data;

	spin_lock(&demo->lock);
	demo->control++; // NORACE
	spin_unlock(&demo->lock);
	return demo->base; // NORACE
}

static struct parport_operations demo_ops = {
	.owner = THIS_MODULE,
	.write_data = demo_write_data,
	.read_status = demo_read_status,
};

static irqreturn_t demo_irq(int irq, void *port)
{
	parport_ieee1284_interrupt(port); // RACE!
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct parport *port;

	if (!demo)
		return -ENOMEM;
	port = parport_register_port(0, 0, 0, &demo_ops);
	if (!port)
		return -ENOMEM;
	port->private_data = demo; // NORACE
	demo->base = port->base; // NORACE
	if (request_irq(port->irq, demo_irq, 0, "demo", port))
		return -EBUSY;
	port->ieee1284.phase = 0; // RACE!
	parport_announce_port(port);
	demo->data = 0; // RACE!
	platform_set_drvdata(pdev, port);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct parport *port = platform_get_drvdata(pdev);
	struct demo *demo = port->private_data;

	parport_remove_port(port);
	demo->data = 1; // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
