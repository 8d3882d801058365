/* Power supplies, as those see them who ask. */
#include <linux/device.h>
#include <linux/spinlock.h>

struct power_supply;
union power_supply_propval { int intval; const char *strval; };
struct power_supply_desc {
	const char *name;
	int (*get_property)(struct power_supply *psy, int property, union power_supply_propval *value);
};
struct power_supply {
	const struct power_supply_desc *desc;
	void *drv_data;
	struct device dev;
	spinlock_t changed_lock;
	bool changed, initialized;
	atomic_t use_cnt;
};
int power_supply_get_property(struct power_supply *psy, int property, union power_supply_propval *value);
void power_supply_unregister(struct power_supply *psy);
