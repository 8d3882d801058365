/* A summarized loop gives to other code what it has stored the round before. */
// verdict: potential
// inline-limit: 0
#include "../externals/found.h"

static noinline void demo_go(struct spi_transfer *xfer, void *buffer, size_t n)
{
	while (n--) {
		other_sync(xfer, 1); // RACE!
		xfer->rx_buf = buffer;
	}
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .len = 8 };

	demo_go(&xfer, shared, len);
	return 0;
}
