/* What unknown code was given once is still there the next time. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .rx_buf = shared, .len = 8 };
	int ret;

	mutex_lock(&lock);
	ret = other_sync(&xfer, 1); // RACE!
	mutex_unlock(&lock);
	return ret ? other_sync(&xfer, 1) : 0; // RACE!
}
