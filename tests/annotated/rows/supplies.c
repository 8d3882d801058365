/* Supplies of power: what is known of a battery, which may be known to all, and several regulators at once. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>

struct regulator;
struct power_supply { int use_count; };
struct power_supply_battery_info { unsigned int technology; int energy_full_design_uwh; };
int power_supply_get_battery_info(struct power_supply *psy, struct power_supply_battery_info **info);
struct regulator_bulk_data { const char *supply; int load; struct regulator *consumer; int ret; };
int regulator_bulk_enable(int n, struct regulator_bulk_data *consumers);
int regulator_bulk_disable(int n, struct regulator_bulk_data *consumers);

struct demo {
	int before;
	struct regulator_bulk_data on[2], off[2];
	int behind;
	struct power_supply_battery_info *info;
};

extern struct power_supply *demo_supply(void);
static struct demo demo;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct power_supply_battery_info *own;

	mutex_lock(&lock);
	power_supply_get_battery_info(demo_supply(), &demo.info); // RACE!
	if (!power_supply_get_battery_info(demo_supply(), &own)) // RACE!
		own->technology = cmd; // RACE!
	regulator_bulk_enable(2, demo.on); // RACE!
	regulator_bulk_disable(2, demo.off); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&state_lock);
	demo.before = demo.behind; // NORACE
	demo.behind = len; // NORACE
	len += demo.off[1].ret; // NORACE
	len += demo.on[1].ret; // RACE!
	demo.off[1].consumer = NULL; // RACE!
	demo_supply()->use_count = len; // RACE!
	len = demo.info->technology; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
