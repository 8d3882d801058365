/* Interrupts of chips that request them by the chip's own number: the handler is a thread, one per line, and freeing the line
   waits for it. The chip's lock is the chip's. */
// verdict: potential
#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct mc13xxx;
struct da9052 { struct device *dev; struct regmap *regmap; u8 chip_id; int (*fix_io)(struct da9052 *chip, unsigned char reg); };
struct pcap_chip;
struct kempld_device_data { void __iomem *io_index, *io_data; struct mutex lock; };
void mc13xxx_lock(struct mc13xxx *chip);
void mc13xxx_unlock(struct mc13xxx *chip);
int mc13xxx_irq_request(struct mc13xxx *chip, int irq, irq_handler_t handler, const char *name, void *dev);
int mc13xxx_irq_free(struct mc13xxx *chip, int irq, void *dev);
int mc13xxx_reg_read(struct mc13xxx *chip, unsigned int reg, u32 *value);
int mc13xxx_irq_status(struct mc13xxx *chip, int irq, int *enabled, int *pending);
int da9052_request_irq(struct da9052 *chip, int irq, char *name, irq_handler_t handler, void *data);
void da9052_free_irq(struct da9052 *chip, int irq, void *data);
int ezx_pcap_read(struct pcap_chip *chip, u8 reg, u32 *value);
void kempld_get_mutex(struct kempld_device_data *chip);
void kempld_release_mutex(struct kempld_device_data *chip);
u8 kempld_read8(struct kempld_device_data *chip, u8 reg);

struct da9052 *find_da9052(void);
struct pcap_chip *find_pcap(void);

struct demo { struct mc13xxx *chip; int alarms, noted, state; };
struct other { struct da9052 *chip; int resets; };

extern struct mc13xxx mc;

static struct kempld_device_data pld;
static int shared, guarded, enabled, count;
static u32 value;

static irqreturn_t demo_alarm(int irq, void *data)
{
	struct demo *demo = data;

	demo->alarms++; // NORACE
	mc13xxx_lock(&mc);
	count++; // NORACE
	mc13xxx_unlock(&mc);
	demo->noted++; // RACE!
	shared++; // RACE!
	return IRQ_HANDLED;
}

static irqreturn_t other_reset(int irq, void *data)
{
	struct other *other = data;

	other->resets++; // NORACE
	ezx_pcap_read(find_pcap(), 1, &value); // RACE!
	mc13xxx_reg_read(&mc, 1, &value); // RACE!
	mc13xxx_irq_status(&mc, 1, &enabled, NULL); // RACE!
	other->chip->fix_io(other->chip, 1); // RACE!
	kempld_get_mutex(&pld);
	guarded += kempld_read8(&pld, 1); // NORACE
	kempld_release_mutex(&pld);
	return IRQ_HANDLED;
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: nothing tells the devices of the two drivers apart

	mc13xxx_lock(&mc);
	count--; // NORACE
	mc13xxx_unlock(&mc);
	kempld_get_mutex(&pld);
	guarded++; // NORACE
	kempld_release_mutex(&pld);
	return demo->noted + enabled; // RACE!
}
static DEVICE_ATTR(level, 0444, level_show, NULL);

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->chip = &mc;
	platform_set_drvdata(pdev, demo);
	demo->alarms = 0; // NORACE
	if (mc13xxx_irq_request(&mc, 1, demo_alarm, "demo", demo)) {
		kfree(demo); // NORACE
		return -EBUSY;
	}
	return device_create_file(&pdev->dev, &dev_attr_level);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	device_remove_file(&pdev->dev, &dev_attr_level);
	mc13xxx_irq_free(&mc, 1, demo);
	demo->alarms = 0; // NORACE
	kfree(demo); // NORACE
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};

static int other_probe(struct platform_device *pdev)
{
	struct other *other = kzalloc(sizeof(*other), GFP_KERNEL);

	if (!other)
		return -ENOMEM;
	other->chip = find_da9052();
	platform_set_drvdata(pdev, other); // RACE: as above
	other->resets = 0; // NORACE
	if (da9052_request_irq(other->chip, 2, "demo", other_reset, other)) { // RACE: who uses an object counts as reading its first byte
		kfree(other); // NORACE
		return -EBUSY;
	}
	other->chip->chip_id = 0; // RACE!
	return 0;
}

static int other_remove(struct platform_device *pdev)
{
	struct other *other = platform_get_drvdata(pdev);

	da9052_free_irq(other->chip, 2, other); // RACE: who uses an object counts as reading its first byte
	other->resets = 0; // NORACE
	kfree(other); // NORACE
	return 0;
}

static struct platform_driver other_driver = {
	.probe = other_probe,
	.remove = other_remove,
	.driver = { .name = "other" },
};

static int __init demo_init(void)
{
	if (platform_driver_register(&other_driver))
		return -EBUSY;
	return platform_driver_register(&demo_driver);
}
module_init(demo_init);
