/* What a notifier gets as data is the module's struct, and goes on to code outside. */
#include <linux/xarray.h>

struct chip;
extern int chip_fill(struct chip *chip, void *buffer, int n);
static struct chip *the_chip;
static DEFINE_MUTEX(lock);

struct demo { int a; int count; };
extern struct blocking_notifier_head board_chain;
static int demo_event(struct notifier_block *nb, unsigned long event, void *data)
{
	chip_fill(the_chip, data, 8); // RACE!
	return 0;
}
static struct notifier_block demo_nb = { .notifier_call = demo_event };
int demo_init_nb(void)
{
	return blocking_notifier_chain_register(&board_chain, &demo_nb); // RACE!
}
EXPORT_SYMBOL(demo_init_nb);
int demo_fire(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: nobody knows what others do to what they get
	return blocking_notifier_call_chain(&board_chain, 1, demo); // RACE: nobody knows what others do to what they get
}
EXPORT_SYMBOL(demo_fire);
int demo_count(struct device *dev)
{
	struct demo *demo = dev_get_drvdata(dev); // RACE: nobody knows what others do to what they get
	int n;
	mutex_lock(&lock);
	n = demo->count; // RACE!
	mutex_unlock(&lock);
	return n;
}
EXPORT_SYMBOL(demo_count);
