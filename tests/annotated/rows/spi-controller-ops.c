/* What the core calls under the bus's io_mutex, through the controller of a device, takes turns. */
// verdict: race-free
#include <whole/spi-ops.h>

struct demo {
	int level, speed;
};

static void demo_set_cs(struct spi_device *spi, bool enable)
{
	struct demo *demo = spi_controller_get_devdata(spi->controller);

	demo->level++; // NORACE
}

static int demo_transfer_one(struct spi_controller *ctlr, struct spi_device *spi, struct spi_transfer *xfer)
{
	struct demo *demo = spi_controller_get_devdata(ctlr);

	demo->level++; // NORACE
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct spi_controller *ctlr = __spi_alloc_controller(&pdev->dev, sizeof(struct demo), false);
	struct demo *demo;

	if (!ctlr)
		return -ENOMEM;
	demo = spi_controller_get_devdata(ctlr);
	demo->level = 1; // NORACE
	ctlr->set_cs = demo_set_cs;
	ctlr->transfer_one = demo_transfer_one;
	return spi_register_controller(ctlr);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
