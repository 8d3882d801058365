/* Clients of the management engine: a callback runs for a device once the probe of it has registered that; buffers are
   copied in and out. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct mei_cl_device { struct device dev; };
struct mei_cl_driver {
	const char *name;
	int (*probe)(struct mei_cl_device *cldev, const void *id);
	void (*remove)(struct mei_cl_device *cldev);
};
int __mei_cldev_driver_register(struct mei_cl_driver *driver, struct module *owner);
void mei_cldev_driver_unregister(struct mei_cl_driver *driver);
void *mei_cldev_get_drvdata(const struct mei_cl_device *cldev);
void mei_cldev_set_drvdata(struct mei_cl_device *cldev, void *data);
ssize_t mei_cldev_send(struct mei_cl_device *cldev, const u8 *buf, size_t length);
ssize_t mei_cldev_recv(struct mei_cl_device *cldev, u8 *buf, size_t length);
int mei_cldev_register_rx_cb(struct mei_cl_device *cldev, void (*cb)(struct mei_cl_device *cldev));
int mei_cldev_enable(struct mei_cl_device *cldev);

struct demo {
	struct mutex lock;
	int received, late, early;
	u8 out[8], in[8];
};
static int setting;

static void demo_received(struct mei_cl_device *cldev)
{
	struct demo *demo = mei_cldev_get_drvdata(cldev); // NORACE
	u8 own[8];

	if (mei_cldev_recv(cldev, own, sizeof(own)) < 0) // NORACE
		return;
	mei_cldev_recv(cldev, demo->in, sizeof(demo->in)); // RACE!
	mutex_lock(&demo->lock);
	demo->received += own[0]; // NORACE
	demo->out[0] = own[1]; // RACE!
	mutex_unlock(&demo->lock);
	demo->late++; // RACE!
	demo->early++; // RACE: it comes from one work item, which the row does not say
}

static int demo_probe(struct mei_cl_device *cldev, const void *id)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	demo->early = setting; // NORACE
	mei_cldev_set_drvdata(cldev, demo); // NORACE
	mei_cldev_enable(cldev); // NORACE
	if (mei_cldev_register_rx_cb(cldev, demo_received))
		return -EIO;
	mei_cldev_send(cldev, demo->out, sizeof(demo->out)); // RACE!
	demo->late = 1; // RACE!
	mutex_lock(&demo->lock);
	demo->received = 0; // NORACE
	mutex_unlock(&demo->lock);
	return 0;
}

static void demo_remove(struct mei_cl_device *cldev)
{
	struct demo *demo = mei_cldev_get_drvdata(cldev); // NORACE

	demo->late++; // RACE!
}

static struct mei_cl_driver demo_driver = { .name = "demo", .probe = demo_probe, .remove = demo_remove };

static int __init demo_init(void)
{
	setting = 3; // NORACE
	return __mei_cldev_driver_register(&demo_driver, THIS_MODULE);
}

static void __exit demo_exit(void)
{
	mei_cldev_driver_unregister(&demo_driver);
	setting = 0; // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
