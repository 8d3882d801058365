/* A list of which each element is linked behind the last one. */
// verdict: potential
#include "found.h"

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_transfer xfers[2], head = { .len = 0 }, *last = &head;
	int i;

	for (i = 0; i < 2; i++) {
		xfers[i].rx_buf = shared;
		last->tx_buf = &xfers[i]; // RACE: it is not known any more that these are its own
		last = &xfers[i];
	}
	return other_sync(&head, 1); // RACE!
}
