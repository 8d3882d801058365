/* Whether an operation is possible is asked without a lock. */
// verdict: potential
#include <whole/spi-ops.h>

struct demo {
	int level, limit;
};

static int demo_setup(struct spi_device *spi)
{
	struct demo *demo = spi_controller_get_devdata(spi->master);

	demo->level = 0; // RACE!
	return 0;
}

static int demo_exec_op(struct spi_mem *mem, const struct spi_mem_op *op)
{
	struct demo *demo = spi_controller_get_devdata(mem->spi->master);

	demo->level++; // RACE!
	return 0;
}

static bool demo_supports_op(struct spi_mem *mem, const struct spi_mem_op *op)
{
	struct demo *demo = spi_controller_get_devdata(mem->spi->controller);

	return demo->level > 4; // RACE!
}

static const struct spi_controller_mem_ops demo_mem_ops = { .exec_op = demo_exec_op, .supports_op = demo_supports_op };

static int demo_probe(struct platform_device *pdev)
{
	struct spi_controller *ctlr = __spi_alloc_controller(&pdev->dev, sizeof(struct demo), false);
	struct demo *demo;

	if (!ctlr)
		return -ENOMEM;
	demo = spi_controller_get_devdata(ctlr);
	demo->level = 1; // NORACE
	demo->limit = 8; // NORACE
	ctlr->setup = demo_setup;
	ctlr->mem_ops = &demo_mem_ops;
	return spi_register_controller(ctlr);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
