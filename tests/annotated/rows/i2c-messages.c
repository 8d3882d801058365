/* Messages on the I2C bus: what each leads to is read, or written if its flag says so, under the bus's lock; nothing else
   is touched. */
#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/mutex.h>
#include <linux/module.h>

#define I2C_M_RD 1
#define I2C_M_RECV_LEN 0x400
struct i2c_msg { u16 addr, flags, len; u8 *buf; };
int i2c_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count);
int __i2c_transfer(struct i2c_adapter *adapter, struct i2c_msg *messages, int count);

static DEFINE_MUTEX(lock);
static u8 in[8], out[8], behind[8], table[8], block[34], raw[8], bus[8];
static int level;

/* The second buffer is filled, the first one only read. */
static ssize_t reading_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);
	struct i2c_msg messages[2] = {
		{ .addr = client->addr, .flags = 0, .len = 2, .buf = table }, // NORACE
		{ .addr = client->addr, .flags = I2C_M_RD, .len = 4, .buf = in },
	};

	if (i2c_transfer(client->adapter, messages, 2) != 2) // RACE!
		return -EIO;
	mutex_lock(&lock);
	level += in[0]; // RACE!
	mutex_unlock(&lock);
	return 0;
}
static DEVICE_ATTR_RO(reading);

/* Only as much as the length says. */
static ssize_t tail_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	mutex_lock(&lock);
	level += in[4]; // NORACE
	mutex_unlock(&lock);
	return table[7]; // NORACE
}
static DEVICE_ATTR_RO(tail);

/* Each caller has a buffer of its own. */
static ssize_t own_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);
	u8 reg = 3, value[2] = { 0, 0 };
	struct i2c_msg messages[2] = {
		{ .addr = client->addr, .flags = 0, .len = 1, .buf = &reg },
		{ .addr = client->addr, .flags = I2C_M_RD, .len = 2, .buf = value },
	};

	if (i2c_transfer(client->adapter, messages, 2) != 2) // NORACE
		return -EIO;
	return value[0]; // NORACE
}
static DEVICE_ATTR_RO(own);

/* What goes out is read: who changes it needs a lock that the sender has. */
static ssize_t sent_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);
	struct i2c_msg message = { .addr = client->addr, .flags = 0, .len = 8, .buf = out };

	mutex_lock(&lock);
	out[0] = buf[0]; // RACE!
	behind[0] = buf[0]; // NORACE
	mutex_unlock(&lock);
	if (i2c_transfer(client->adapter, &message, 1) != 1) // RACE!
		return -EIO;
	message.buf = behind;
	mutex_lock(&lock);
	i2c_transfer(client->adapter, &message, 1); // NORACE
	mutex_unlock(&lock);
	return count;
}
static DEVICE_ATTR(sent, 0200, NULL, sent_store);

/* The device says how much it sends. */
static ssize_t block_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);
	struct i2c_msg message = { .addr = client->addr, .flags = I2C_M_RD | I2C_M_RECV_LEN, .len = 1, .buf = block };

	i2c_transfer(client->adapter, &message, 1); // RACE!
	return block[20]; // RACE!
}
static DEVICE_ATTR_RO(block);

/* The lock of the bus is there for the time of the transfer; __i2c_transfer leaves it to the caller. */
static ssize_t bus_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);
	struct i2c_adapter *adapter = client->adapter;
	struct i2c_msg message = { .addr = client->addr, .flags = I2C_M_RD, .len = 8, .buf = bus };

	i2c_lock_bus(adapter, 0);
	__i2c_transfer(adapter, &message, 1); // RACE!
	i2c_unlock_bus(adapter, 0);
	message.buf = raw;
	__i2c_transfer(adapter, &message, 1); // RACE!
	return 0;
}
static DEVICE_ATTR_RO(bus);

static int demo_probe(struct i2c_client *client)
{
	device_create_file(&client->dev, &dev_attr_reading);
	device_create_file(&client->dev, &dev_attr_tail);
	device_create_file(&client->dev, &dev_attr_own);
	device_create_file(&client->dev, &dev_attr_sent);
	device_create_file(&client->dev, &dev_attr_block);
	device_create_file(&client->dev, &dev_attr_bus);
	return 0;
}

static struct i2c_driver demo_driver = { .probe_new = demo_probe };
module_i2c_driver(demo_driver);
