/* What is copied to an address that is not followed may lie in an own object. */
// verdict: potential
#include "found.h"

struct spi_transfer *keep(struct spi_transfer *xfer);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .len = 8 }, with = { .rx_buf = shared, .len = 8 };

	keep(&xfer);
	*keep(NULL) = with; // RACE: it is not known that this is its own
	return other_sync(&xfer, 1); // RACE!
}
