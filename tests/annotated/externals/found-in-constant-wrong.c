/* Unknown code looks into constant variables, too. */
// verdict: potential
#include "found.h"

static const struct spi_transfer constant = { .rx_buf = shared, .len = 8 };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return other_sync((struct spi_transfer *)&constant, 1); // RACE!
}
