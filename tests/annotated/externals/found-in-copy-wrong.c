/* What other code was given once is in a copy of that, too. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .rx_buf = shared, .len = 8 }, copy;

	mutex_lock(&lock);
	other_sync(&xfer, 1); // RACE!
	mutex_unlock(&lock);
	copy = xfer;
	return other_sync(&copy, 1); // RACE!
}
