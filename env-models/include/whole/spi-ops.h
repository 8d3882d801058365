/* What lockpair/spi.h lacks: the functions and the locks of a controller. */
#pragma once
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/interrupt.h>
#include <linux/slab.h>

struct spi_device;
struct spi_message;
struct spi_transfer;
struct spi_mem;
struct spi_mem_op;
struct spi_controller_mem_ops {
	bool (*supports_op)(struct spi_mem *mem, const struct spi_mem_op *op);
	int (*exec_op)(struct spi_mem *mem, const struct spi_mem_op *op);
};
struct spi_controller {
	struct device dev;
	int bus_num;
	u16 num_chipselect;
	u32 mode_bits;
	s8 last_cs;
	size_t max_dma_len;
	bool devm_allocated;
	struct gpio_desc **cs_gpiods;
	s8 unused_native_cs;
	spinlock_t bus_lock_spinlock;
	struct mutex bus_lock_mutex, io_mutex;
	struct spi_message *cur_msg;
	int (*setup)(struct spi_device *spi);
	void (*cleanup)(struct spi_device *spi);
	void (*set_cs)(struct spi_device *spi, bool enable);
	bool (*can_dma)(struct spi_controller *ctlr, struct spi_device *spi, struct spi_transfer *xfer);
	int (*transfer_one)(struct spi_controller *ctlr, struct spi_device *spi, struct spi_transfer *xfer);
	int (*unprepare_message)(struct spi_controller *ctlr, struct spi_message *msg);
	const struct spi_controller_mem_ops *mem_ops;
	void *dummy_rx, *dummy_tx;
};
struct spi_device {
	struct device dev;
	struct spi_controller *controller, *master;
	int mode;
	u32 max_speed_hz;
	u8 bits_per_word;
};
struct spi_mem {
	struct spi_device *spi;
	void *drvpriv;
};
struct spi_controller *__spi_alloc_controller(struct device *dev, unsigned int size, bool slave);
struct spi_controller *__devm_spi_alloc_controller(struct device *dev, unsigned int size, bool slave);
int spi_register_controller(struct spi_controller *ctlr);
int devm_spi_register_controller(struct device *dev, struct spi_controller *ctlr);
void spi_unregister_controller(struct spi_controller *ctlr);
static inline void *spi_controller_get_devdata(struct spi_controller *ctlr) { return dev_get_drvdata(&ctlr->dev); }
