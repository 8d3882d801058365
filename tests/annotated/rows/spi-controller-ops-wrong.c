/* cleanup is called without the bus's io_mutex, and what finishes a message is called from anywhere; probe goes on after registering. */
// verdict: potential
#include <whole/spi-ops.h>

struct demo {
	int level, speed;
};

static void demo_set_cs(struct spi_device *spi, bool enable)
{
	struct demo *demo = spi_controller_get_devdata(spi->controller);

	demo->level++; // RACE!
}

static void demo_cleanup(struct spi_device *spi)
{
	struct demo *demo = spi_controller_get_devdata(spi->master);

	demo->level = 0; // RACE!
}

static int demo_unprepare_message(struct spi_controller *ctlr, struct spi_message *msg)
{
	struct demo *demo = spi_controller_get_devdata(ctlr);

	return demo->speed; // RACE!
}

static int demo_transfer_one(struct spi_controller *ctlr, struct spi_device *spi, struct spi_transfer *xfer)
{
	struct demo *demo = spi_controller_get_devdata(ctlr);

	demo->speed = 1; // RACE!
	return 0;
}

static int demo_probe(struct platform_device *pdev)
{
	struct spi_controller *ctlr = __spi_alloc_controller(&pdev->dev, sizeof(struct demo), false);
	struct demo *demo;
	int err;

	if (!ctlr)
		return -ENOMEM;
	demo = spi_controller_get_devdata(ctlr);
	demo->level = 1; // NORACE
	ctlr->set_cs = demo_set_cs;
	ctlr->transfer_one = demo_transfer_one;
	ctlr->cleanup = demo_cleanup;
	ctlr->unprepare_message = demo_unprepare_message;
	err = spi_register_controller(ctlr);
	demo->level = 2; // RACE!
	return err;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
