/* A power supply is asked beside its end, and what its driver reads is changed. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include "power-supply-asked.h"

extern struct power_supply *demo_find(void);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	union power_supply_propval own;

	return power_supply_get_property(demo_find(), 1, &own); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	power_supply_unregister(demo_find()); // RACE!
	return len;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct power_supply *psy = demo_find();
	union power_supply_propval own;

	return psy->desc->get_property(psy, 1, &own); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(demo_find()->drv_data, NULL); // RACE!
	return demo_find()->changed; // RACE!
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
