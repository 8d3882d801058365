/* What is copied from user space may not come, and then the pointer stays. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .rx_buf = shared, .len = 8 };

	copy_from_user(&xfer, buf, sizeof(xfer));
	return other_sync(&xfer, 1); // RACE!
}
