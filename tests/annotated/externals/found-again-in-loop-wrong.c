/* Nor does it go when the loop around the calls ends. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer;
	int i;

	for (i = 0; i < 3; i++) {
		xfer.rx_buf = shared;
		mutex_lock(&lock);
		other_sync(&xfer, 1); // RACE!
		mutex_unlock(&lock);
	}
	return other_sync(&xfer, 1); // RACE!
}
