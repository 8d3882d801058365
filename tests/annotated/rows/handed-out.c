/* What a callback hands out by reference is read by its caller: nobody changes it afterwards. */
// verdict: race-free
#include "handed-out.h"

static const int steps[] = { 1, 2, 4 };
static unsigned int pins[] = { 3, 4 };
static const char *const names[] = { "a", "b" };

static int demo_avail(struct iio_dev *indio, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask)
{
	*vals = steps; // NORACE
	*type = 1;
	*length = 3;
	return 0;
}

static int demo_string(struct device *dev, enum hwmon_sensor_types type, u32 attr, int channel, const char **str)
{
	*str = "demo"; // NORACE
	return 0;
}

static const char *demo_type(struct uart_port *port)
{
	return port->line ? "demo" : NULL; // NORACE
}

static unsigned char *demo_fixup(struct hid_device *hdev, unsigned char *buf, unsigned int *size)
{
	return buf; // NORACE
}

static const char *demo_name(struct pinctrl_dev *pctldev, unsigned int at)
{
	return names[at & 1]; // NORACE
}

static int demo_pins(struct pinctrl_dev *pctldev, unsigned int at, const unsigned int **out, unsigned int *count)
{
	*out = pins; // NORACE
	*count = 2;
	return 0;
}

static int demo_groups(struct pinctrl_dev *pctldev, unsigned int at, const char *const **out, unsigned int *count)
{
	*out = names; // NORACE
	*count = 2;
	return 0;
}

static struct net_device_stats *demo_stats(struct net_device *dev)
{
	return &stats; // NORACE
}

static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	WRITE_ONCE(stats.rx_errors, buf[0]);
	return count;
}
