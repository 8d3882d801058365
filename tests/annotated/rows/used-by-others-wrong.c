/* What functions outside read of the module's memory, and what they end: a buffer that the network stack was given, a mapping, arrays
   of clocks and of resources, limits. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/skbuff.h>
#include <linux/slab.h>

struct clk;
struct resource { unsigned long start, end; };
struct clk_bulk_data { const char *id; struct clk *clk; };
int clk_bulk_enable(int n, const struct clk_bulk_data *clocks);
int netif_rx(struct sk_buff *skb);
void vunmap(const void *mapping);
int platform_device_add_resources(struct platform_device *pdev, const struct resource *resources, unsigned int n);
struct ratelimit_state { spinlock_t lock; int interval, burst, printed, missed; };
int ___ratelimit(struct ratelimit_state *limits, const char *function);

struct demo {
	struct sk_buff *skb;
	int *mapping;
	struct clk_bulk_data clocks[2];
	struct resource resources[2];
	struct ratelimit_state limits;
	struct platform_device *child;
};

static ssize_t used_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);

	clk_bulk_enable(2, demo->clocks); // RACE!
	platform_device_add_resources(demo->child, demo->resources, 2); // RACE!
	___ratelimit(&demo->limits, "demo"); // RACE!
	return demo->skb->len + *demo->mapping; // RACE!
}

static ssize_t used_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev);

	demo->clocks[1].clk = NULL; // RACE!
	demo->resources[1].start = count; // RACE!
	demo->limits.interval = count; // RACE!
	demo->limits.burst = count; // RACE!
	netif_rx(demo->skb); // RACE!
	vunmap(demo->mapping); // RACE!
	return count;
}
static DEVICE_ATTR_RW(used);

static struct attribute *demo_attrs[] = { &dev_attr_used.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->skb = dev_alloc_skb(64);
	demo->mapping = kmalloc(64, GFP_KERNEL);
	platform_set_drvdata(pdev, demo);
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.driver = { .name = "demo", .dev_groups = demo_groups },
};

static int __init demo_init(void)
{
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
