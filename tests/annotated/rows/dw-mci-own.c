/* The functions for FIFO and DMA of a DesignWare host are called by its own module alone. */
// verdict: race-free
#include "dw-mci.h"

static void demo_push(struct dw_mci *host, void *buf, int cnt) { host->part = cnt; } // NORACE
static void demo_pull(struct dw_mci *host, void *buf, int cnt) { host->part = cnt + 1; } // NORACE
static int demo_dma_init(struct dw_mci *host) { host->sg_len = 1; return 0; } // NORACE
static void demo_dma_stop(struct dw_mci *host) { host->sg_len = 0; } // NORACE
static void demo_dma_exit(struct dw_mci *host) { host->sg_len = 0; } // NORACE
static const struct dw_mci_dma_ops demo_dma = { .init = demo_dma_init, .stop = demo_dma_stop, .exit = demo_dma_exit };

static irqreturn_t demo_irq(int irq, void *arg)
{
	struct dw_mci *host = arg;
	u8 data[4] = { 0 };

	spin_lock(&host->lock);
	host->push_data(host, data, 4);
	host->pull_data(host, data, 4);
	host->dma_ops->stop(host);
	spin_unlock(&host->lock);
	return IRQ_HANDLED;
}
static int demo_probe(struct platform_device *pdev)
{
	struct dw_mci *host = kzalloc(sizeof(*host), GFP_KERNEL);

	if (!host)
		return -ENOMEM;
	spin_lock_init(&host->lock);
	host->push_data = demo_push;
	host->pull_data = demo_pull;
	host->dma_ops = &demo_dma;
	host->dma_ops->init(host);
	platform_set_drvdata(pdev, host);
	if (request_irq(7, demo_irq, 0, "demo", host)) {
		kfree(host); // NORACE
		return -EBUSY;
	}
	return 0;
}
static int demo_remove(struct platform_device *pdev)
{
	struct dw_mci *host = platform_get_drvdata(pdev);

	free_irq(7, host);
	host->dma_ops->exit(host);
	kfree(host); // NORACE
	return 0;
}
static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
