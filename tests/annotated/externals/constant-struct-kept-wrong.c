/* Code outside does not change the struct that it gets, but keeps what that leads to. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct demo {
	int level;
};

struct device_template {
	int (*poll)(void *data);
	void *data;
};
int outside_register(const struct device_template *template);

static int demo_poll(void *data)
{
	struct demo *demo = data;

	return demo->level; // RACE!
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct device_template template = {};

	if (!demo)
		return -ENOMEM;
	demo->level = 1; // NORACE
	template.data = demo;
	template.poll = demo_poll;
	outside_register(&template);
	demo->level = 2; // RACE!
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
MODULE_LICENSE("GPL");
