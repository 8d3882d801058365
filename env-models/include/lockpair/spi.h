/* Stub headers of lockpair: devices on SPI buses. Written for tests and examples; not Linux. */
#ifndef LOCKPAIR_SPI_H
#define LOCKPAIR_SPI_H

#include <lockpair/linux.h>

struct spi_controller { int bus_num; };
struct spi_device { struct device dev; struct spi_controller *controller; int mode; };
struct spi_transfer {
	const void *tx_buf;
	void *rx_buf;
	unsigned int len;
	struct list_head transfer_list;
};
struct spi_message {
	struct list_head transfers;
	struct spi_device *spi;
	int status;
};
int spi_sync(struct spi_device *spi, struct spi_message *message);
int spi_sync_locked(struct spi_device *spi, struct spi_message *message);

#endif
