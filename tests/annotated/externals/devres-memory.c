/* The interrupt is asked for after the memory, so it is over when that ends. */
// verdict: race-free
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

void *__devres_alloc_node(void (*release)(struct device *, void *), size_t, gfp_t, int, const char *);
void devres_add(struct device *, void *);

struct demo { int *buf; };

static void release(struct device *dev, void *res) { }

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;
	int *buf = READ_ONCE(demo->buf);

	if (buf)
		WRITE_ONCE(*buf, 1); // NORACE
	return IRQ_HANDLED;
}
static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);
	int *buf;

	if (!demo)
		return -ENOMEM;
	buf = __devres_alloc_node(release, sizeof(*buf), GFP_KERNEL, -1, "buf");
	if (!buf)
		return -ENOMEM;
	devres_add(&pdev->dev, buf);
	WRITE_ONCE(demo->buf, buf);
	return devm_request_irq(&pdev->dev, 5, demo_irq, 0, "demo", demo);
}
static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
