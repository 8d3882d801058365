/* The entry of the table of a driver is nothing that the driver has asked for. */
// verdict: race-free
#include <linux/module.h>
#include <linux/device.h>
#include <linux/slab.h>
#include <linux/spi/spi.h>

struct spi_device_id { char name[32]; kernel_ulong_t driver_data; };
struct spi_driver { int (*probe)(struct spi_device *spi); void (*remove)(struct spi_device *spi); };

const struct spi_device_id *spi_get_device_id(const struct spi_device *spi);
int spi_add_driver(struct spi_driver *driver);

struct demo {
	unsigned long kind;
};

static int demo_probe(struct spi_device *spi)
{
	struct demo *demo = devm_kzalloc(&spi->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->kind = spi_get_device_id(spi)->driver_data; // NORACE
	spi->dev.driver_data = demo;
	return 0;
}

static struct spi_driver demo_driver = { .probe = demo_probe };

static int __init demo_init(void)
{
	return spi_add_driver(&demo_driver);
}
module_init(demo_init);
