/* SMBus blocks are copied: without the lock. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/i2c.h>

static struct i2c_client *client;
static u8 buffer[32];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	i2c_smbus_read_i2c_block_data(client, 1, 8, buffer); // RACE!
	i2c_smbus_write_i2c_block_data(client, 1, 8, buffer); // RACE!
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
