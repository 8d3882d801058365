/* Callbacks that hand out something by reference, and an attribute. */
#include <linux/hid.h>
#include <linux/iio/iio.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>

static struct net_device_stats stats;
static int demo_avail(struct iio_dev *indio, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask);
static const char *demo_type(struct uart_port *port);
static unsigned char *demo_fixup(struct hid_device *hdev, unsigned char *buf, unsigned int *size);
static struct net_device_stats *demo_stats(struct net_device *dev);
static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count);

const struct iio_info demo_iio = { .read_avail = demo_avail };
const struct uart_ops demo_uart = { .type = demo_type };
struct hid_driver demo_hid = { .name = "demo", .report_fixup = demo_fixup };
const struct net_device_ops demo_net = { .ndo_get_stats = demo_stats };
DEVICE_ATTR(demo, 0200, NULL, demo_store);
