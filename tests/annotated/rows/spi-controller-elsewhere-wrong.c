/* A controller that another module registers (dw_spi_add_host). */
// verdict: potential
#include <whole/spi-ops.h>

int other_add_host(struct device *dev, struct spi_controller *ctlr);

struct demo {
	int level, speed;
};

static void demo_set_cs(struct spi_device *spi, bool enable)
{
	struct demo *demo = spi_controller_get_devdata(spi->controller); // RACE: a function without a row may register what it gets, and change it

	demo->level++; // RACE!
}

static int demo_transfer_one(struct spi_controller *ctlr, struct spi_device *spi, struct spi_transfer *xfer)
{
	struct demo *demo = spi_controller_get_devdata(ctlr); // RACE: a function without a row may register what it gets, and change it

	demo->level++; // RACE!
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
	if (other_add_host(&pdev->dev, ctlr)) // RACE: a function without a row may register what it gets, and change it
		return -ENODEV;
	demo->level = 2; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
