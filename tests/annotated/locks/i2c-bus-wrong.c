/* An I2C bus; the results of the forms that may fail are taken for their opposites. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/i2c.h>

static struct i2c_adapter the_adapter;
#define adapter (&the_adapter)
static int events;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 0:
		if (i2c_trylock_bus(adapter, I2C_LOCK_SEGMENT))
			return -EBUSY;
		events++; // RACE!
		i2c_unlock_bus(adapter, I2C_LOCK_SEGMENT);
		break;
	}
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
