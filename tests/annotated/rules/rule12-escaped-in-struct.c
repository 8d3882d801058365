/* The address leaves the module inside a struct. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct demo_hooks {
	void (*first)(void);
	void (*second)(void);
};

static int events;
void demo_add_hooks(const struct demo_hooks *hooks);

static void demo_first(void)
{
	events++; // RACE!
}

static void demo_second(void)
{
	events--; // RACE!
}

static const struct demo_hooks demo_hooks = { demo_first, demo_second };

static int __init demo_init(void)
{
	demo_add_hooks(&demo_hooks);
	return 0;
}
module_init(demo_init);
