/* What a callback hands out by reference is read by its caller, after the callback has given back its lock: who changes it meanwhile
   races with that, whatever lock he holds. */
// verdict: potential
#include "handed-out.h"

static DEFINE_MUTEX(lock);
static int steps[3];
static char port_type[16];
static unsigned char descriptor[8];

static int demo_avail(struct iio_dev *indio, struct iio_chan_spec const *chan, const int **vals, int *type, int *length, long mask)
{
	if (mask > 1)
		return -EINVAL;
	mutex_lock(&lock);
	*vals = steps;
	*type = 1;
	*length = 3;
	mutex_unlock(&lock);
	return 0; // RACE!
}

static const char *demo_type(struct uart_port *port)
{
	return port_type; // RACE!
}

static unsigned char *demo_fixup(struct hid_device *hdev, unsigned char *buf, unsigned int *size)
{
	*size = sizeof(descriptor);
	return descriptor; // RACE!
}

static struct net_device_stats *demo_stats(struct net_device *dev)
{
	return &stats; // RACE!
}

static ssize_t demo_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	mutex_lock(&lock);
	stats.rx_errors = buf[0]; // RACE!
	steps[1] = buf[0]; // RACE!
	port_type[0] = buf[0]; // RACE!
	descriptor[0] = buf[0]; // RACE!
	mutex_unlock(&lock);
	return count;
}
