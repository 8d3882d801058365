/* What others have made for the driver ends after the last use. */
#include "kernel-objects.h"

struct demo {
	int irq;
	dma_addr_t address;
	struct work_struct work;
	struct kthread_work later;
	struct workqueue_struct *queue;
	struct input_dev *input;
	struct power_supply *supply;
	struct thermal_zone_device *zone;
	struct regmap *map;
	struct kmem_cache *cache;
	struct dma_pool *pool;
	struct mempool_s *reserve;
	struct clk *clk;
	struct regulator *regulator;
	struct device *hwmon;
	struct kthread_worker *worker;
	struct task_struct *task;
};

static void demo_work(struct work_struct *work) {} // RACE: that no work is left is not seen
static void demo_later(struct kthread_work *work) {} // RACE: that no work is left is not seen
static int demo_thread(void *data) { return 0; }

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	queue_work(demo->queue, &demo->work); // NORACE
	input_event(demo->input, 1, 116, 1); // NORACE
	power_supply_changed(demo->supply); // NORACE
	thermal_zone_device_update(demo->zone, 0); // NORACE
	regmap_write(demo->map, 0, 1); // NORACE
	kmem_cache_free(demo->cache, kmem_cache_alloc(demo->cache, GFP_ATOMIC)); // NORACE
	dma_pool_alloc(demo->pool, GFP_ATOMIC, &demo->address); // NORACE
	mempool_free(NULL, demo->reserve); // NORACE
	clk_enable(demo->clk); // RACE: whose clock it is, is not seen
	regulator_enable(demo->regulator); // NORACE
	hwmon_notify_event(demo->hwmon, 0, 0, 0); // NORACE
	kthread_queue_work(demo->worker, &demo->later); // NORACE
	wake_up_process(demo->task); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	INIT_WORK(&demo->work, demo_work); // NORACE
	kthread_init_work(&demo->later, demo_later); // NORACE
	demo->queue = alloc_workqueue("demo", 0, 0); // NORACE
	demo->input = input_allocate_device(); // NORACE
	input_register_device(demo->input);
	demo->supply = power_supply_register(&pdev->dev, NULL, NULL); // NORACE
	demo->zone = thermal_zone_device_register("demo", 0, 0, NULL, NULL, NULL, 0, 0); // NORACE
	demo->map = __regmap_init(&pdev->dev, NULL, NULL, NULL, NULL, "demo"); // NORACE
	demo->cache = kmem_cache_create("demo", 64, 0, 0, NULL); // NORACE
	demo->pool = dma_pool_create("demo", &pdev->dev, 64, 0, 0); // NORACE
	demo->reserve = mempool_create(4, NULL, NULL, NULL); // NORACE
	demo->clk = clk_get(&pdev->dev, NULL); // NORACE
	demo->regulator = regulator_get(&pdev->dev, "vcc"); // NORACE
	demo->hwmon = hwmon_device_register_with_info(&pdev->dev, "demo", NULL, NULL, NULL); // NORACE
	demo->worker = kthread_create_worker(0, "demo"); // NORACE
	demo->task = kthread_run(demo_thread, NULL, "demo"); // NORACE
	demo->irq = platform_get_irq(pdev, 0);
	if (request_irq(demo->irq, demo_irq, 0, "demo", demo)) {
		kfree(demo);
		return -EIO;
	}
	platform_set_drvdata(pdev, demo);
	return 0;
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	free_irq(demo->irq, demo);
	kthread_stop(demo->task); // NORACE
	kthread_destroy_worker(demo->worker); // NORACE
	hwmon_device_unregister(demo->hwmon); // NORACE
	regulator_put(demo->regulator); // NORACE
	clk_put(demo->clk); // RACE: the same
	mempool_destroy(demo->reserve); // NORACE
	dma_pool_destroy(demo->pool); // NORACE
	kmem_cache_destroy(demo->cache); // NORACE
	regmap_exit(demo->map); // NORACE
	thermal_zone_device_unregister(demo->zone); // NORACE
	power_supply_unregister(demo->supply); // NORACE
	input_unregister_device(demo->input); // NORACE
	destroy_workqueue(demo->queue); // NORACE
	cancel_work_sync(&demo->work);
	kthread_cancel_work_sync(&demo->later);
	kfree(demo); // RACE: that no work is left is not seen
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
