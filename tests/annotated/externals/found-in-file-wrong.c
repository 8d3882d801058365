/* The address of the message is read from the file, where the thread has put it. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfer = { .rx_buf = shared, .len = 8 };

	file->private_data = &xfer; // RACE: the file may be read twice at once
	return other_sync(file->private_data, 1); // RACE!
}
