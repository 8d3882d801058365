/* More uses and ends of what others have made for a driver, in the right order. */
#include "kernel-objects.h"

struct i2c_client;
void flush_workqueue(struct workqueue_struct *queue);
bool workqueue_congested(int cpu, struct workqueue_struct *queue);
void kthread_flush_worker(struct kthread_worker *worker);
bool input_mt_report_slot_state(struct input_dev *dev, unsigned int tool, bool active);
struct regmap *__regmap_init_i2c(struct i2c_client *client, const struct regmap_config *config, void *key, const char *name);
struct regmap *__regmap_init_mmio_clk(struct device *dev, const char *clk, void *registers, const struct regmap_config *config, void *key, const char *name);
void devm_regulator_put(struct regulator *regulator);
void devm_clk_put(struct device *dev, struct clk *clk);

struct demo {
	int irq;
	struct workqueue_struct *queue;
	struct input_dev *input;
	struct regmap *map, *registers;
	struct regulator *regulator;
	struct clk *clk;
	struct kthread_worker *worker;
};

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	if (workqueue_congested(0, demo->queue)) // NORACE
		flush_workqueue(demo->queue); // NORACE
	input_mt_report_slot_state(demo->input, 0, true); // NORACE
	regmap_write(demo->map, 0, 1); // NORACE
	regmap_write(demo->registers, 0, 1); // NORACE
	regulator_enable(demo->regulator); // NORACE
	clk_enable(demo->clk); // RACE: whose clock it is, is not seen
	kthread_flush_worker(demo->worker); // NORACE
	return IRQ_HANDLED;
}

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->queue = alloc_workqueue("demo", 0, 0); // NORACE
	demo->input = input_allocate_device(); // NORACE
	input_register_device(demo->input);
	demo->map = __regmap_init_i2c(NULL, NULL, NULL, "demo"); // NORACE
	demo->registers = __regmap_init_mmio_clk(&pdev->dev, NULL, NULL, NULL, NULL, "demo"); // NORACE
	demo->regulator = regulator_get(&pdev->dev, "vcc"); // NORACE
	demo->clk = clk_get(&pdev->dev, NULL); // NORACE
	demo->worker = kthread_create_worker(0, "demo"); // NORACE
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
	kthread_destroy_worker(demo->worker); // NORACE
	devm_clk_put(&pdev->dev, demo->clk); // RACE: whose clock it is, is not seen
	devm_regulator_put(demo->regulator); // NORACE
	regmap_exit(demo->registers); // NORACE
	regmap_exit(demo->map); // NORACE
	input_unregister_device(demo->input); // NORACE
	destroy_workqueue(demo->queue); // NORACE
	kfree(demo);
	return 0;
}

static struct platform_driver demo_driver = { .probe = demo_probe, .remove = demo_remove, .driver = { .name = "demo" } };
module_platform_driver(demo_driver);
