/* What others make for a driver, and end: an interrupt uses each. */
#include <linux/module.h>
#include <linux/device.h>
#include <linux/input.h>
#include <linux/interrupt.h>
#include <linux/kthread.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

struct power_supply_desc;
struct power_supply_config { void *drv_data; };
struct thermal_zone_device_ops;
struct thermal_zone_params;
struct power_supply { const struct power_supply_desc *desc; void *drv_data; };
struct thermal_zone_device { int id; void *devdata; struct mutex lock; };
struct extcon_dev { const char *name; unsigned int *cables; };
struct rtc_class_ops;
struct kmem_cache;
struct dma_pool;
struct mempool_s;
struct clk;
struct regulator;
struct regmap_config;

struct power_supply *power_supply_register(struct device *parent, const struct power_supply_desc *desc, const struct power_supply_config *config);
struct power_supply *devm_power_supply_register(struct device *parent, const struct power_supply_desc *desc, const struct power_supply_config *config);
void power_supply_unregister(struct power_supply *psy);
void power_supply_changed(struct power_supply *psy);
struct thermal_zone_device *thermal_zone_device_register(const char *type, int trips, int mask, void *data, struct thermal_zone_device_ops *ops, struct thermal_zone_params *params, int passive, int polling);
struct thermal_zone_device *devm_thermal_of_zone_register(struct device *dev, int id, void *data, const struct thermal_zone_device_ops *ops);
void thermal_zone_device_unregister(struct thermal_zone_device *zone);
void thermal_zone_device_update(struct thermal_zone_device *zone, int event);
struct extcon_dev *devm_extcon_dev_allocate(struct device *dev, const unsigned int *cables);
int extcon_set_state_sync(struct extcon_dev *edev, unsigned int id, bool state);
struct regmap *__regmap_init(struct device *dev, const void *bus, void *context, const struct regmap_config *config, void *key, const char *name);
struct regmap *__devm_regmap_init(struct device *dev, const void *bus, void *context, const struct regmap_config *config, void *key, const char *name);
void regmap_exit(struct regmap *map);
struct kmem_cache *kmem_cache_create(const char *name, unsigned int size, unsigned int align, unsigned long flags, void (*ctor)(void *));
void kmem_cache_destroy(struct kmem_cache *cache);
void *kmem_cache_alloc(struct kmem_cache *cache, gfp_t flags);
void kmem_cache_free(struct kmem_cache *cache, void *object);
struct dma_pool *dma_pool_create(const char *name, struct device *dev, size_t size, size_t align, size_t boundary);
struct dma_pool *dmam_pool_create(const char *name, struct device *dev, size_t size, size_t align, size_t boundary);
void dma_pool_destroy(struct dma_pool *pool);
void *dma_pool_alloc(struct dma_pool *pool, gfp_t flags, dma_addr_t *handle);
struct mempool_s *mempool_create(int least, void *alloc, void *free, void *data);
void mempool_destroy(struct mempool_s *pool);
void mempool_free(void *object, struct mempool_s *pool);
struct clk *clk_get(struct device *dev, const char *id);
void clk_put(struct clk *clk);
int clk_enable(struct clk *clk);
struct regulator *regulator_get(struct device *dev, const char *id);
struct regulator *devm_regulator_get(struct device *dev, const char *id);
void regulator_put(struct regulator *regulator);
int regulator_enable(struct regulator *regulator);
void hwmon_device_unregister(struct device *dev);
int hwmon_notify_event(struct device *dev, int type, u32 attr, int channel);
struct kthread_worker *kthread_create_worker(unsigned int flags, const char *name, ...);
void kthread_destroy_worker(struct kthread_worker *worker);
struct rtc_device *devm_rtc_device_register(struct device *dev, const char *name, const struct rtc_class_ops *ops, struct module *owner);
void rtc_update_irq(struct rtc_device *rtc, unsigned long num, unsigned long events);
