/* Chips behind the PMBus core: what it does to the client and to its own data is no race of the driver's. The functions of
   an info may run once pmbus_do_probe has registered the chip, in any thread and without a lock. A chip may know its
   coefficients: they go to the info, which all devices of this driver share. */
#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct pmbus_driver_info {
	int pages;
	int m[8], b[8], R[8];
	u32 func[4];
	int (*read_byte_data)(struct i2c_client *client, int page, int reg);
	int (*read_word_data)(struct i2c_client *client, int page, int phase, int reg);
	int (*write_byte_data)(struct i2c_client *client, int page, int reg, u8 value);
	int (*write_word_data)(struct i2c_client *client, int page, int reg, u16 value);
	int (*write_byte)(struct i2c_client *client, int page, u8 value);
	int (*identify)(struct i2c_client *client, struct pmbus_driver_info *info);
};
struct pmbus_platform_data {
	u32 flags;
};
int pmbus_do_probe(struct i2c_client *client, struct pmbus_driver_info *info);
const struct pmbus_driver_info *pmbus_get_driver_info(struct i2c_client *client);
int pmbus_read_word_data(struct i2c_client *client, int page, int phase, u8 reg);
int pmbus_write_word_data(struct i2c_client *client, int page, u8 reg, u16 value);
void pmbus_clear_cache(struct i2c_client *client);
int pmbus_lock_interruptible(struct i2c_client *client);
void pmbus_unlock(struct i2c_client *client);

static DEFINE_MUTEX(lock);
static int limit, reads, selected, offered;

static int demo_read_word_data(struct i2c_client *client, int page, int phase, int reg)
{
	const struct pmbus_driver_info *info = pmbus_get_driver_info(client); // NORACE

	if (page >= info->pages) // NORACE
		return -EINVAL;
	mutex_lock(&lock);
	limit++; // NORACE
	mutex_unlock(&lock);
	reads++; // RACE!
	return pmbus_read_word_data(client, page, phase, reg); // RACE!
}

static int demo_write_word_data(struct i2c_client *client, int page, int reg, u16 value)
{
	pmbus_clear_cache(client); // NORACE
	return pmbus_write_word_data(client, page, reg, value); // RACE!
}

static ssize_t select_store(struct device *dev, struct device_attribute *attr, const char *buf, size_t count)
{
	struct i2c_client *client = container_of(dev, struct i2c_client, dev);

	if (pmbus_lock_interruptible(client)) {
		selected++; // RACE!
		return -EINTR;
	}
	client->addr++; // NORACE
	offered++; // RACE!
	selected = 0; // RACE!
	pmbus_unlock(client);
	return count;
}
static DEVICE_ATTR(select, 0200, NULL, select_store);

static struct pmbus_driver_info demo_info = {
	.pages = 1,
	.read_word_data = demo_read_word_data,
	.write_word_data = demo_write_word_data,
};

static struct pmbus_platform_data demo_platform = { .flags = 32 };

static int demo_probe(struct i2c_client *client)
{
	int error;

	client->dev.platform_data = &demo_platform; // NORACE
	client->flags = 0; // NORACE
	error = pmbus_do_probe(client, &demo_info); // RACE!
	if (error)
		return error;
	client->flags = 4; // RACE!
	return device_create_file(&client->dev, &dev_attr_select);
}

static void demo_remove(struct i2c_client *client)
{
	device_remove_file(&client->dev, &dev_attr_select);
}

static struct i2c_driver demo_driver = { .probe_new = demo_probe, .remove = demo_remove };
module_i2c_driver(demo_driver);
