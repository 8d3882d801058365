/* A constant leads to another one, and that to the buffer. */
// verdict: potential
#include "found.h"

int other_all(void *xfers);

static const struct spi_transfer constant = { .rx_buf = shared, .len = 8 };
static const struct spi_transfer *const all[] = { &constant };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return other_all((void *)all); // RACE!
}
