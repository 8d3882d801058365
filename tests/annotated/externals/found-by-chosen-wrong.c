/* After the loop it is not known which of the two the pointer leads to. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer first = { .rx_buf = shared, .len = 8 }, second = { .len = 8 }, *xfer = &second;

	while (len--)
		xfer = xfer == &second ? &first : &second;
	return other_sync(xfer, 1); // RACE!
}
