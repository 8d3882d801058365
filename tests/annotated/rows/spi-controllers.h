/* Controllers of SPI, as their core sees them. */
#include <linux/types.h>

struct dma_chan;
struct gpio_desc;
struct spi_device;
struct spi_controller;
struct spi_delay { u16 value; u8 unit; };
struct spi_transfer { const void *tx_buf; void *rx_buf; unsigned int len, speed_hz, effective_speed_hz; u8 bits_per_word; };
struct spi_message { struct spi_device *spi; int status; };
struct spi_device {
	struct spi_controller *controller;
	u32 max_speed_hz, mode;
	u8 chip_select, bits_per_word;
	void *controller_state, *controller_data;
	struct gpio_desc *cs_gpiod;
	struct spi_delay cs_setup, cs_hold, cs_inactive;
};
struct spi_controller {
	int bus_num;
	bool fallback;
	struct dma_chan *dma_tx, *dma_rx;
	void *private;
	int (*setup)(struct spi_device *spi);
	void (*cleanup)(struct spi_device *spi);
	int (*unprepare_message)(struct spi_controller *ctlr, struct spi_message *message);
	void (*set_cs)(struct spi_device *spi, bool enable);
	int (*set_cs_timing)(struct spi_device *spi);
	bool (*can_dma)(struct spi_controller *ctlr, struct spi_device *spi, struct spi_transfer *transfer);
	void (*handle_err)(struct spi_controller *ctlr, struct spi_message *message);
	size_t (*max_message_size)(struct spi_device *spi);
	size_t (*max_transfer_size)(struct spi_device *spi);
};
