/* The same under the lock. */
// verdict: race-free
// inline-limit: 0
#include "../externals/found.h"

static noinline void demo_fill(struct spi_transfer *xfer, void *buffer)
{
	xfer->rx_buf = buffer;
	xfer->tx_buf = NULL;
}

static noinline int demo_sync(struct spi_transfer *xfers, int count)
{
	return other_sync(xfers, count); // NORACE
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .len = 8 };
	int ret;

	demo_fill(&xfer, shared);
	mutex_lock(&lock);
	ret = demo_sync(&xfer, 1);
	mutex_unlock(&lock);
	return ret;
}
