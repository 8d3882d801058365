/* SMBus blocks are copied. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/i2c.h>

static DEFINE_MUTEX(lock);
static struct i2c_client *client;
static u8 buffer[32];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	i2c_smbus_read_i2c_block_data(client, 1, 8, buffer); // NORACE
	i2c_smbus_write_i2c_block_data(client, 1, 8, buffer); // NORACE
	mutex_unlock(&lock);
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
