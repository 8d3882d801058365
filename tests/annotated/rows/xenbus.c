/* Xenbus and virtio: texts of the store, the state of a device, the room in a queue. */
#include <linux/device.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct xenbus_transaction { u32 id; };
struct xenbus_device { const char *nodename; int otherend_id, state, more; struct device dev; };
int xenbus_transaction_start(struct xenbus_transaction *t);
int xenbus_printf(struct xenbus_transaction t, const char *dir, const char *node, const char *format, ...);
unsigned int xenbus_read_unsigned(const char *dir, const char *node, unsigned int other);
void *xenbus_read(struct xenbus_transaction t, const char *dir, const char *node, unsigned int *length);
int xenbus_scanf(struct xenbus_transaction t, const char *dir, const char *node, const char *format, ...);
int xenbus_gather(struct xenbus_transaction t, const char *dir, ...);
int xenbus_switch_state(struct xenbus_device *dev, int state);
void xenbus_dev_fatal(struct xenbus_device *dev, int error, const char *format, ...);
void xenbus_dev_error(struct xenbus_device *dev, int error, const char *format, ...);
int xenbus_alloc_evtchn(struct xenbus_device *dev, u32 *port);
int xenbus_free_evtchn(struct xenbus_device *dev, u32 port);
struct scatterlist { unsigned long page; unsigned int offset, length; };
struct virtqueue { void *priv; unsigned int index, num_free; };
int virtqueue_add_inbuf(struct virtqueue *vq, struct scatterlist *sg, unsigned int n, void *data, gfp_t flags);
void *virtqueue_get_buf(struct virtqueue *vq, unsigned int *length);
void *virtqueue_detach_unused_buf(struct virtqueue *vq);
bool virtqueue_kick_prepare(struct virtqueue *vq);
bool virtqueue_notify(struct virtqueue *vq);

struct demo {
	struct mutex lock;
	struct xenbus_device *xdev;
	struct virtqueue *queue, *open;
	int before, version, tokens, after;
	char path[16];
	u32 port;
};
static struct demo demo;
static u32 lasting;
static unsigned int length;

static ssize_t store_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct xenbus_transaction t = { 0 };
	int own = 0, two = 0;
	u32 port = 0;
	char *text;

	xenbus_transaction_start(&t); // NORACE
	xenbus_printf(t, "device", "version", "%d", 3); // NORACE
	xenbus_printf(t, demo.path, "version", "%d", 3); // RACE!
	xenbus_read_unsigned(demo.path, "version", 1); // RACE!
	xenbus_scanf(t, "device", "version", "%d", &own); // NORACE
	xenbus_scanf(t, "device", "version", "%d", &demo.version); // RACE!
	xenbus_gather(t, "device", "a", "%d", &own, "b", "%d", &two, NULL); // NORACE
	xenbus_gather(t, "device", "a", "%d", &demo.tokens, NULL); // RACE!
	text = xenbus_read(t, "device", "name", NULL); // NORACE
	text[0] = 0; // NORACE
	xenbus_read(t, "device", "name", &length); // RACE!
	xenbus_alloc_evtchn(demo.xdev, &port); // RACE!
	xenbus_free_evtchn(demo.xdev, port); // NORACE
	xenbus_alloc_evtchn(demo.xdev, &demo.port); // RACE!
	xenbus_dev_error(demo.xdev, own, "failed %d", two); // NORACE
	xenbus_dev_fatal(demo.xdev, own, "failed %d", two); // RACE!
	xenbus_switch_state(demo.xdev, own); // RACE!
	mutex_lock(&demo.lock);
	demo.before++; // NORACE
	demo.after++; // RACE: the row does not say how much a format writes
	demo.xdev->more++; // NORACE
	mutex_unlock(&demo.lock);
	return own; // NORACE
}

static ssize_t store_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	mutex_lock(&demo.lock);
	demo.path[0] = buf[0]; // RACE!
	mutex_unlock(&demo.lock);
	return demo.xdev->state; // RACE!
}
static DEVICE_ATTR_RW(store);

/* One lock for each queue: what the core does with it is covered. */
static ssize_t queue_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct scatterlist sg = { 0 };
	unsigned int n = 0;
	bool notify;

	mutex_lock(&demo.lock);
	virtqueue_add_inbuf(demo.queue, &sg, 1, &lasting, GFP_KERNEL); // NORACE
	virtqueue_get_buf(demo.queue, &n); // NORACE
	virtqueue_detach_unused_buf(demo.queue); // NORACE
	n += demo.queue->num_free; // NORACE
	notify = virtqueue_kick_prepare(demo.queue); // NORACE
	mutex_unlock(&demo.lock);
	if (notify)
		virtqueue_notify(demo.queue); // NORACE
	return n;
}
static DEVICE_ATTR_RO(queue);

static int demo_probe(struct platform_device *pdev)
{
	device_create_file(&pdev->dev, &dev_attr_store);
	return device_create_file(&pdev->dev, &dev_attr_queue);
}
static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
