/* A summarized function gets an address that is not followed any more, and that is of an own object. */
// verdict: potential
// inline-limit: 0
#include "../externals/found.h"

struct spi_transfer *keep(struct spi_transfer *xfer);

static noinline int demo_go(struct spi_transfer *xfer)
{
	return other_sync(xfer, 1); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .rx_buf = shared, .len = 8 };

	mutex_lock(&lock);
	keep(&xfer); // RACE!
	mutex_unlock(&lock);
	return demo_go(keep(NULL));
}
