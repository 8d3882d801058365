/* What a loop has stored in an array, unknown code finds there. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfers[2];
	int i;

	for (i = 0; i < (int)(len & 1) + 1; i++) {
		memset(&xfers[i], 0, sizeof(xfers[i]));
		xfers[i].rx_buf = shared + i * 8;
		xfers[i].len = 8;
	}
	return other_sync(xfers, i); // RACE!
}
