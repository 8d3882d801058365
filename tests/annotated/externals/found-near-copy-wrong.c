/* A copy of unknown length may leave what lies there. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfers[2] = { { .rx_buf = shared, .len = 8 } }, other = { .len = len };

	memcpy(&xfers[1], &other, len & 7);
	return other_sync(xfers, 2); // RACE!
}
