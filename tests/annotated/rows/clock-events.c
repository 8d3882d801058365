/* Events of the clock and of ACPI come in an interrupt, whether somebody has given them up or not. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/notifier.h>
#include <linux/spinlock.h>

int hpet_register_irq_handler(irqreturn_t (*handler)(int irq, void *data));
void hpet_unregister_irq_handler(irqreturn_t (*handler)(int irq, void *data));
u32 acpi_install_fixed_event_handler(u32 event, u32 (*handler)(void *context), void *context);
u32 acpi_remove_fixed_event_handler(u32 event, u32 (*handler)(void *context));
u32 acpi_get_event_status(u32 event, u32 *status);
struct hid_sensor_hub_device;
struct hid_sensor_hub_callbacks { void *pdev; int (*send_event)(struct hid_sensor_hub_device *hsdev, u32 usage, void *data); };
int sensor_hub_register_callback(struct hid_sensor_hub_device *hsdev, u32 usage, struct hid_sensor_hub_callbacks *callbacks);
struct regulator;
int regulator_register_notifier(struct regulator *regulator, struct notifier_block *nb);
struct regulator_config { struct device *dev; void *driver_data; };
void *devm_regulator_register(struct device *dev, const void *description, const struct regulator_config *config);
void *devm_pinctrl_register(struct device *dev, const void *description, void *data);
int pinconf_generic_dt_node_to_map(void *pctldev, void *node, void **map, unsigned int *n, int type);
struct power_supply_config { void *drv_data; };
void *power_supply_register(struct device *parent, const void *description, const struct power_supply_config *config);

struct demo { int events; spinlock_t lock; int guarded, value; };

static struct demo demo, kept;
static int ticks;
static u32 status;
static struct hid_sensor_hub_callbacks callbacks;
static struct hid_sensor_hub_device *hub;
static struct regulator *supply;
static struct notifier_block block;

static irqreturn_t demo_tick(int irq, void *data)
{
	ticks++; // RACE!
	acpi_get_event_status(1, &status); // RACE!
	return IRQ_HANDLED;
}

static u32 demo_event(void *context)
{
	struct demo *d = context;

	d->events++; // RACE!
	spin_lock(&d->lock);
	d->guarded++; // NORACE
	spin_unlock(&d->lock);
	return 0;
}

static int __init demo_init(void)
{
	struct regulator_config config = { .driver_data = &kept };
	struct power_supply_config supply_config = { .drv_data = &kept };
	unsigned int n;
	void *map;

	hpet_register_irq_handler(demo_tick);
	acpi_install_fixed_event_handler(4, demo_event, &demo);
	sensor_hub_register_callback(hub, 1, &callbacks); // NORACE
	regulator_register_notifier(supply, &block); // NORACE
	devm_regulator_register(NULL, &block, &config); // NORACE
	devm_pinctrl_register(NULL, &block, &kept); // NORACE
	power_supply_register(NULL, &block, &supply_config); // NORACE
	pinconf_generic_dt_node_to_map(NULL, NULL, &map, &n, 0); // NORACE
	spin_lock_irq(&demo.lock);
	demo.guarded = n; // NORACE
	spin_unlock_irq(&demo.lock);
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	hpet_unregister_irq_handler(demo_tick);
	acpi_remove_fixed_event_handler(4, demo_event);
	demo.events = 0; // RACE!
}
module_exit(demo_exit);
