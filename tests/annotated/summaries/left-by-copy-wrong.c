/* What a summarized function has copied, unknown code finds. */
// verdict: potential
// inline-limit: 0
#include "../externals/found.h"

static noinline void demo_copy(struct spi_transfer *to, const struct spi_transfer *from)
{
	*to = *from;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .len = 8 }, with = { .rx_buf = shared, .len = 8 };

	demo_copy(&xfer, &with);
	return other_sync(&xfer, 1); // RACE!
}
