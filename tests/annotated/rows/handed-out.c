/* What a callback hands out by reference is read by its caller: nobody changes it afterwards. */
// verdict: race-free
#include "handed-out.h"

static const int steps[] = { 1, 2, 4 };

static int demo_avail(struct iio_dev *indio, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask)
{
	*vals = steps; // NORACE
	*type = 1;
	*length = 3;
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

static struct net_device_stats *demo_stats(struct net_device *dev)
{
	return &stats; // NORACE
}

static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	WRITE_ONCE(stats.rx_errors, buf[0]);
	return count;
}
