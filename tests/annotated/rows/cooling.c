/* Cooling devices, lights, clocks and groups of an RTC: registering one calls the driver at once, and keeps what its
   functions find. */
#include <linux/clk-provider.h>
#include <linux/device.h>
#include <linux/leds.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>
#include <linux/thermal.h>

struct device_node;
struct thermal_cooling_device *devm_thermal_of_cooling_device_register(struct device *dev, struct device_node *node,
								       char *type, void *data,
								       const struct thermal_cooling_device_ops *ops);
void thermal_cooling_device_unregister(struct thermal_cooling_device *cooling);

struct fan {
	struct mutex lock;
	unsigned long speed, steps;
	struct thermal_cooling_device *cooling;
	struct clk_hw clock;
};
static int asked, counted;

/* Nobody else has the device that the number of states goes to. */
static int fan_get_max_state(struct thermal_cooling_device *cooling, unsigned long *state)
{
	asked++; // RACE!
	*state = 3; // NORACE
	return 0;
}

static int fan_get_cur_state(struct thermal_cooling_device *cooling, unsigned long *state)
{
	struct fan *fan = cooling->devdata; // NORACE

	mutex_lock(&fan->lock);
	*state = fan->speed; // NORACE
	mutex_unlock(&fan->lock);
	return 0;
}

static int fan_set_cur_state(struct thermal_cooling_device *cooling, unsigned long state)
{
	struct fan *fan = cooling->devdata; // NORACE

	mutex_lock(&fan->lock);
	fan->speed = state; // NORACE
	mutex_unlock(&fan->lock);
	fan->steps++; // RACE!
	return 0;
}

static const struct thermal_cooling_device_ops fan_ops = {
	.get_max_state = fan_get_max_state,
	.get_cur_state = fan_get_cur_state,
	.set_cur_state = fan_set_cur_state,
};

static unsigned long fan_recalc_rate(struct clk_hw *hw, unsigned long parent_rate)
{
	counted++; // NORACE
	return parent_rate;
}
static const struct clk_ops fan_clk_ops = { .recalc_rate = fan_recalc_rate };

static int demo_probe(struct platform_device *pdev)
{
	struct clk_init_data init = { .name = "fan", .ops = &fan_clk_ops };
	struct fan *fan = kzalloc(sizeof(*fan), GFP_KERNEL);

	if (!fan)
		return -ENOMEM;
	mutex_init(&fan->lock);
	fan->speed = 1; // NORACE
	fan->clock.init = &init; // NORACE
	devm_clk_register(&pdev->dev, &fan->clock); // NORACE
	fan->cooling = devm_thermal_of_cooling_device_register(&pdev->dev, NULL, "fan", fan, &fan_ops); // NORACE
	fan->steps = 0; // RACE!
	mutex_lock(&fan->lock);
	fan->speed = 0; // NORACE
	mutex_unlock(&fan->lock);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
