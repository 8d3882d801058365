/* Stub headers of lockpair: devices on SPI buses. Written for tests and examples; not Linux. */
#ifndef LOCKPAIR_SPI_H
#define LOCKPAIR_SPI_H

#include <lockpair/linux.h>

struct spi_controller { int bus_num; struct device dev; u16 num_chipselect; u32 mode_bits; s8 last_cs; size_t max_dma_len; bool devm_allocated; void *dummy_rx, *dummy_tx; struct gpio_desc **cs_gpiods; s8 unused_native_cs; };
struct spi_controller *__spi_alloc_controller(struct device *dev, unsigned int size, bool slave);
struct spi_controller *__devm_spi_alloc_controller(struct device *dev, unsigned int size, bool slave);
int spi_register_controller(struct spi_controller *ctlr);
int devm_spi_register_controller(struct device *dev, struct spi_controller *ctlr);
void spi_unregister_controller(struct spi_controller *ctlr);
static inline void *spi_controller_get_devdata(struct spi_controller *ctlr) { return dev_get_drvdata(&ctlr->dev); }
void put_device(struct device *dev);
static inline void spi_controller_put(struct spi_controller *ctlr) { if (ctlr) put_device(&ctlr->dev); }
static inline struct spi_controller *spi_alloc_master(struct device *dev, unsigned int size) { return __spi_alloc_controller(dev, size, false); }
static inline struct spi_controller *devm_spi_alloc_master(struct device *dev, unsigned int size) { return __devm_spi_alloc_controller(dev, size, false); }
struct spi_device { struct device dev; struct spi_controller *controller; int mode; u32 max_speed_hz; u8 bits_per_word; };
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
