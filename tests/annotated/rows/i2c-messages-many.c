/* Messages on the I2C bus of which nobody says how many there are: any buffer may be meant. */
#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>

#define I2C_M_RD 1
struct i2c_msg { u16 addr, flags, len; u8 *buf; };
int i2c_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count);

struct demo {
	struct mutex lock;
	int level;
};
static u8 first[8], second[8], other[8];

static int demo_send(struct i2c_client *client, struct i2c_msg *messages, int count)
{
	return i2c_transfer(client->adapter, messages, count); // RACE!
}

static ssize_t reading_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);
	struct demo *demo = dev_get_drvdata(dev); // RACE: the messages may lead anywhere, even to the device
	struct i2c_msg messages[2] = {
		{ .addr = client->addr, .flags = I2C_M_RD, .len = 8, .buf = first },
		{ .addr = client->addr, .flags = I2C_M_RD, .len = 8, .buf = second },
	};

	demo_send(client, messages, 1 + (client->addr & 1));
	mutex_lock(&demo->lock); // RACE: so that it is not known to be the driver's
	demo->level++; // RACE: as above
	mutex_unlock(&demo->lock);
	return first[0] + // RACE!
	       second[0] + // RACE!
	       other[0]; // NORACE
}
static DEVICE_ATTR_RO(reading);

static int demo_probe(struct i2c_client *client)
{
	struct demo *demo = devm_kzalloc(&client->dev, sizeof(*demo), GFP_KERNEL); // RACE: as above

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	dev_set_drvdata(&client->dev, demo);
	return device_create_file(&client->dev, &dev_attr_reading);
}

static void demo_remove(struct i2c_client *client)
{
	device_remove_file(&client->dev, &dev_attr_reading);
}

static struct i2c_driver demo_driver = { .probe_new = demo_probe, .remove = demo_remove };
module_i2c_driver(demo_driver);
