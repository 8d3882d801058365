/* What a summarized function has stored, unknown code finds. */
// verdict: potential
// inline-limit: 0
#include "../externals/found.h"

static noinline void demo_fill(struct spi_transfer *xfer, void *buffer)
{
	xfer->rx_buf = buffer;
	xfer->tx_buf = NULL;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .len = 8 };

	demo_fill(&xfer, shared);
	return other_sync(&xfer, 1); // RACE!
}
