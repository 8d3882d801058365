/* What is copied to some place of an array leads on there. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfers[2], xfer = { .rx_buf = shared, .len = 8 };

	xfers[len & 1] = xfer;
	return other_sync(xfers, 2); // RACE!
}
