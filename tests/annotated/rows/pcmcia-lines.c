/* A PCMCIA card's interrupt comes from when it is requested until the device is disabled; its configurations are tried in the
   same thread. Two devices may have one function of the card, and so one set of resources.
   Known imprecision: the handler gets the priv of the device, which is read when the interrupt is requested and again when it is
   given back; nothing tells that this is one pointer. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
#include <pcmcia/ds.h>

struct demo { int received, base; spinlock_t lock; int guarded; };

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->received++; // RACE: the device has the pointer, which is read again
	spin_lock(&demo->lock); // RACE: the device has the pointer, which is read again
	demo->guarded++; // RACE: the device has the pointer, which is read again
	spin_unlock(&demo->lock);
	demo->base++; // RACE!
	return IRQ_HANDLED;
}

static int demo_try(struct pcmcia_device *dev, void *data)
{
	struct demo *demo = data;

	demo->guarded = dev->config_index; // RACE: the device has the pointer, which is read again
	return pcmcia_request_io(dev); // RACE!
}

static int demo_probe(struct pcmcia_device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	dev->priv = demo;
	demo->received = 0; // RACE: the device has the pointer, which is read again
	if (pcmcia_loop_config(dev, demo_try, demo)) // RACE!
		goto failed;
	if (pcmcia_request_irq(dev, demo_irq))
		goto failed;
	demo->base = dev->resource[0]->start; // RACE!
	return 0;
failed:
	pcmcia_disable_device(dev); // RACE!
	kfree(demo); // RACE: the device has the pointer, which is read again
	return -EIO;
}

static void demo_remove(struct pcmcia_device *dev)
{
	struct demo *demo = dev->priv;

	pcmcia_disable_device(dev); // RACE!
	demo->received = 0; // NORACE
	kfree(demo); // NORACE
}

static struct pcmcia_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.remove = demo_remove,
	.owner = THIS_MODULE,
};

static int __init demo_init(void)
{
	return pcmcia_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	pcmcia_unregister_driver(&demo_driver);
}
module_exit(demo_exit);
