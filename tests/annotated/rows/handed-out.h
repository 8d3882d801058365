/* Callbacks that hand out something by reference, and an attribute. */
#include <linux/hid.h>
#include <linux/hwmon.h>
#include <linux/iio/iio.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/platform_device.h>

struct pinctrl_dev;
struct pinctrl_ops {
	const char *(*get_group_name)(struct pinctrl_dev *pctldev, unsigned int at);
	int (*get_group_pins)(struct pinctrl_dev *pctldev, unsigned int at, const unsigned int **pins, unsigned int *count);
};
struct pinmux_ops {
	const char *(*get_function_name)(struct pinctrl_dev *pctldev, unsigned int at);
	int (*get_function_groups)(struct pinctrl_dev *pctldev, unsigned int at, const char *const **groups, unsigned int *count);
};

static struct net_device_stats stats;
static int demo_avail(struct iio_dev *indio, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask);
static int demo_string(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, const char **str);
static const char *demo_type(struct uart_port *port);
static unsigned char *demo_fixup(struct hid_device *hdev, unsigned char *buf, unsigned int *size);
static const char *demo_name(struct pinctrl_dev *pctldev, unsigned int at);
static int demo_pins(struct pinctrl_dev *pctldev, unsigned int at, const unsigned int **pins, unsigned int *count);
static int demo_groups(struct pinctrl_dev *pctldev, unsigned int at, const char *const **groups, unsigned int *count);
static struct net_device_stats *demo_stats(struct net_device *dev);
static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count);

const struct iio_info demo_iio = { .read_avail = demo_avail };
const struct hwmon_ops demo_hwmon = { .read_string = demo_string };
const struct uart_ops demo_uart = { .type = demo_type };
struct hid_driver demo_hid = { .name = "demo", .report_fixup = demo_fixup };
const struct pinctrl_ops demo_groups_ops = { .get_group_name = demo_name, .get_group_pins = demo_pins };
const struct pinmux_ops demo_mux = { .get_function_name = demo_name, .get_function_groups = demo_groups };
const struct net_device_ops demo_net = { .ndo_get_stats = demo_stats };
DEVICE_ATTR(demo, 0200, NULL, demo_store);
