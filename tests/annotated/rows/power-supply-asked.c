/* Other power supplies are asked: the value goes where the caller says. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include "power-supply-asked.h"

struct demo { int n; };
extern struct power_supply *demo_find(void);
extern struct power_supply *demo_other(void);
static DEFINE_MUTEX(lock);
static union power_supply_propval shared, direct, guarded;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	union power_supply_propval own;

	power_supply_get_property(demo_find(), 1, &own); // NORACE
	mutex_lock(&lock);
	power_supply_get_property(demo_find(), 1, &guarded); // NORACE
	mutex_unlock(&lock);
	power_supply_get_property(demo_find(), 1, &shared); // RACE!
	return own.intval;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_find()->drv_data;

	mutex_lock(&lock);
	demo->n = guarded.intval; // NORACE
	mutex_unlock(&lock);
	return shared.intval; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct power_supply *psy = demo_other();
	union power_supply_propval own;

	psy->desc->get_property(psy, 1, &own); // NORACE
	return psy->desc->get_property(psy, 1, &direct); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct power_supply *psy = demo_other();
	int seen;

	spin_lock(&psy->changed_lock);
	seen = psy->changed; // NORACE
	spin_unlock(&psy->changed_lock);
	WRITE_ONCE(psy->initialized, true); // NORACE
	return seen + direct.intval; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
