/* A PCMCIA card: its functions run under the lock of its device; two cards share what the module has. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <pcmcia/ds.h>

struct demo {
	int state;
};

static int cards;

static int demo_probe(struct pcmcia_device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->state = 1; // NORACE
	dev->priv = demo; // NORACE
	cards++; // RACE!
	return 0;
}

static void demo_remove(struct pcmcia_device *dev)
{
	struct demo *demo = dev->priv; // NORACE

	demo->state = 0; // NORACE
	kfree(demo); // NORACE
}

static int demo_suspend(struct pcmcia_device *dev)
{
	struct demo *demo = dev->priv; // NORACE

	demo->state++; // NORACE
	return 0;
}

static int demo_resume(struct pcmcia_device *dev)
{
	struct demo *demo = dev->priv; // NORACE

	demo->state--; // NORACE
	return 0;
}

static struct pcmcia_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.remove = demo_remove,
	.suspend = demo_suspend,
	.resume = demo_resume,
	.owner = THIS_MODULE,
};

static int __init demo_init(void)
{
	cards = 0; // NORACE
	return pcmcia_register_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	pcmcia_unregister_driver(&demo_driver);
	cards = 0; // NORACE
}
module_exit(demo_exit);
