/* What is an allocation of its own is given back through pointers to anything: it is that all the same. */
// verdict: potential
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/device.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	void *any;
	struct sk_buff *typed;
	unsigned long number;
	void *several[4];
};

static DEFINE_MUTEX(demo_lock);

static void demo_put(void *what)
{
	kfree_skb(what); // RACE!
}

static ssize_t any_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev);
	unsigned int len;

	len = ((struct sk_buff *)demo->any)->len; // RACE!
	len += demo->typed->len; // RACE!
	len += ((struct sk_buff *)demo->number)->len; // RACE!
	len += ((struct sk_buff *)demo->several[1])->len; // RACE!
	return len;
}

static ssize_t any_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct demo *demo = dev_get_drvdata(dev);

	kfree_skb(demo->any); // RACE!
	demo_put(demo->typed);
	kfree_skb((void *)demo->number); // RACE!
	kfree_skb(demo->several[1]); // RACE!
	return count;
}
static DEVICE_ATTR_RW(any);

static struct attribute *demo_attrs[] = { &dev_attr_any.attr, NULL };
static const struct attribute_group demo_group = { .attrs = demo_attrs };
static const struct attribute_group *demo_groups[] = { &demo_group, NULL };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = devm_kzalloc(&pdev->dev, sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->any = dev_alloc_skb(64);
	demo->typed = dev_alloc_skb(64);
	demo->number = (unsigned long)dev_alloc_skb(64);
	demo->several[1] = dev_alloc_skb(64);
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
