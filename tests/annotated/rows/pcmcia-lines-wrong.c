/* What the card's configuration and its interrupt share with files, and an interrupt that outlives its data. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/slab.h>
#include <pcmcia/ds.h>

struct demo { int received; };

struct pcmcia_device *find_card(void);

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->received++; // RACE!
	return IRQ_HANDLED;
}

static int demo_try(struct pcmcia_device *dev, void *data)
{
	return pcmcia_request_io(dev); // RACE!
}

static int demo_probe(struct pcmcia_device *dev)
{
	dev->priv = kzalloc(sizeof(struct demo), GFP_KERNEL);
	if (!dev->priv)
		return -ENOMEM;
	pcmcia_loop_config(dev, demo_try, NULL); // RACE!
	return pcmcia_request_irq(dev, demo_irq);
}

static void demo_remove(struct pcmcia_device *dev)
{
	kfree(dev->priv); // RACE!
	pcmcia_disable_device(dev); // RACE!
}

static struct pcmcia_driver demo_driver = {
	.name = "demo",
	.probe = demo_probe,
	.remove = demo_remove,
	.owner = THIS_MODULE,
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	n += find_card()->config_index; // RACE!
	return n + find_card()->resource[0]->start; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	if (misc_register(&demo_misc))
		return -EBUSY;
	return pcmcia_register_driver(&demo_driver);
}
module_init(demo_init);
