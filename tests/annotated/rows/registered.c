/* What registers functions that then run on other CPUs, or when a driver is found for a device. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/input.h>

struct serio_driver { const char *description; int (*connect)(void *serio); struct device_driver driver; };
struct cpumask { unsigned long bits[1]; };
struct ff_effect { u16 type, id; };
struct phy_device { int id; };
int smp_call_function_single(int cpu, void (*func)(void *info), void *info, int wait);
void smp_call_function(void (*func)(void *info), void *info, int wait);
int smp_call_function_any(const struct cpumask *mask, void (*func)(void *info), void *info, int wait);
void on_each_cpu_cond_mask(bool (*cond)(int cpu, void *info), void (*func)(void *info), void *info, bool wait,
			   const struct cpumask *mask);
int __serio_register_driver(struct serio_driver *driver, struct module *owner, const char *name);
int driver_register(struct device_driver *driver);
int input_ff_create_memless(struct input_dev *dev, void *data, int (*play)(struct input_dev *, void *, struct ff_effect *));
int input_ff_create(struct input_dev *dev, unsigned int n);
int input_mt_init_slots(struct input_dev *dev, unsigned int n, unsigned int flags);
void input_set_abs_params(struct input_dev *dev, unsigned int axis, int min, int max, int fuzz, int flat);
void touchscreen_parse_properties(struct input_dev *dev, bool multitouch, void *properties);

struct info {
	int early, late;
};
static struct info one = { 1, 1 }, all = { 1, 1 }, any = { 1, 1 }, asked = { 1, 1 };

static void demo_one(void *data)
{
	struct info *info = data;

	if (info->early + info->late) // RACE!
		return;
}

static void demo_all(void *data)
{
	struct info *info = data;

	if (info->early + info->late) // RACE!
		return;
}

static void demo_any(void *data)
{
	struct info *info = data;

	if (info->early + info->late) // RACE!
		return;
}

static int conditions;

/* In the thread that asks, so after what it did before. */
static bool demo_condition(int cpu, void *data)
{
	struct info *info = data;

	conditions++; // NORACE
	return info->early; // NORACE
}

static void demo_nothing(void *data)
{
}

static int __init demo_init(void)
{
	one.early = 2; // NORACE
	smp_call_function_single(1, demo_one, &one, 0);
	one.late = 2; // RACE!
	all.early = 2; // NORACE
	smp_call_function(demo_all, &all, 0);
	all.late = 2; // RACE!
	any.early = 2; // NORACE
	smp_call_function_any(NULL, demo_any, &any, 0);
	any.late = 2; // RACE!
	asked.early = 2; // NORACE
	on_each_cpu_cond_mask(demo_condition, demo_nothing, &asked, true, NULL);
	asked.late = 2; // NORACE
	return 0;
}
module_init(demo_init);
