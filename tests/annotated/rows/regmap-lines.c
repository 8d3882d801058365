/* The data of a chip of interrupts behind a register map end: who asks for a line beside that uses what is no more. */
// verdict: potential
#include <linux/export.h>
#include <linux/module.h>
#include <linux/mutex.h>

struct regmap;
struct regmap_irq_chip { const char *name; };
struct regmap_irq_chip_data;
int regmap_add_irq_chip(struct regmap *map, int irq, int flags, int base, const struct regmap_irq_chip *chip,
			struct regmap_irq_chip_data **data);
void regmap_del_irq_chip(int irq, struct regmap_irq_chip_data *data);
int regmap_irq_get_virq(struct regmap_irq_chip_data *data, int irq);

static const struct regmap_irq_chip chip;
static struct regmap_irq_chip_data *lines, *kept;
static DEFINE_MUTEX(lock);

int demo_make(void)
{
	struct regmap_irq_chip_data *three = NULL, *four = NULL;

	if (regmap_add_irq_chip(NULL, 1, 0, 0, &chip, &three) || regmap_add_irq_chip(NULL, 1, 0, 0, &chip, &four))
		return -ENOMEM;
	mutex_lock(&lock);
	lines = three;
	kept = four;
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_make);

int demo_ask(int what)
{
	struct regmap_irq_chip_data *data;
	int n = 0;

	mutex_lock(&lock);
	data = lines;
	if (kept)
		n += regmap_irq_get_virq(kept, what); // NORACE
	mutex_unlock(&lock);
	if (data)
		n += regmap_irq_get_virq(data, what); // RACE!
	return n;
}
EXPORT_SYMBOL(demo_ask);

void demo_end(void)
{
	struct regmap_irq_chip_data *data;

	mutex_lock(&lock);
	data = lines;
	lines = NULL;
	if (kept)
		regmap_del_irq_chip(1, kept); // NORACE
	kept = NULL;
	mutex_unlock(&lock);
	if (data)
		regmap_del_irq_chip(1, data); // RACE!
}
EXPORT_SYMBOL(demo_end);
