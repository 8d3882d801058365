/* A virtio device: changes of its configuration are told one after the other, and not while it is bound, removed or asleep. */
// verdict: potential
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/virtio.h>

static int changes;

struct demo {
	int told;
	int asleep;
};

static int demo_probe(struct virtio_device *dev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->told = 1; // NORACE
	dev->priv = demo; // RACE: a device is not bound while it sleeps, which no row says
	return 0;
}

static void demo_scan(struct virtio_device *dev)
{
	struct demo *demo = dev->priv; // NORACE

	demo->told = 2; // RACE: the same
}

static void demo_config_changed(struct virtio_device *dev)
{
	struct demo *demo = dev->priv; // NORACE

	demo->told++; // NORACE
	changes++; // RACE!
}

static int demo_freeze(struct virtio_device *dev)
{
	struct demo *demo = dev->priv; // RACE: the same

	demo->told--; // RACE: the same
	demo->asleep++; // NORACE
	return 0;
}

static int demo_restore(struct virtio_device *dev)
{
	struct demo *demo = dev->priv; // RACE: the same

	demo->asleep--; // NORACE
	return 0;
}

static void demo_remove(struct virtio_device *dev)
{
	struct demo *demo = dev->priv; // NORACE

	demo->told = 0; // RACE: the same
	dev->priv = NULL; // RACE: the same
}

static struct virtio_driver demo_driver = {
	.driver = { .name = "demo", .owner = THIS_MODULE },
	.probe = demo_probe,
	.scan = demo_scan,
	.remove = demo_remove,
	.config_changed = demo_config_changed,
	.freeze = demo_freeze,
	.restore = demo_restore,
};

static int __init demo_init(void)
{
	return register_virtio_driver(&demo_driver);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	unregister_virtio_driver(&demo_driver);
}
module_exit(demo_exit);
