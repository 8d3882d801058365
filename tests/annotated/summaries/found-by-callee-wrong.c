/* What a summarized function gives to unknown code leads to where its caller says. */
// verdict: potential
// inline-limit: 0
#include "../externals/found.h"

static noinline int demo_sync(struct spi_transfer *xfers, int count)
{
	return other_sync(xfers, count); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .rx_buf = shared, .len = 8 };

	return demo_sync(&xfer, 1);
}
