/* The pointer leads to an own object or to a shared one. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	u8 own[8];
	struct spi_transfer xfer = { .rx_buf = len & 1 ? shared : own, .len = 8 };

	return other_sync(&xfer, 1); // RACE!
}
