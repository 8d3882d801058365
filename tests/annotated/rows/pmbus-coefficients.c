/* A driver that fills in no data of the platform asks no chip for its coefficients: all its devices may have one info. What its
   functions write there they do write, for all devices at once. */
// verdict: potential
#include <linux/device.h>
#include <linux/i2c.h>
#include <linux/module.h>

struct pmbus_driver_info {
	int pages;
	int m[8], b[8], R[8];
	int (*read_byte_data)(struct i2c_client *client, int page, int reg);
	int (*read_word_data)(struct i2c_client *client, int page, int phase, int reg);
	int (*write_byte_data)(struct i2c_client *client, int page, int reg, u8 value);
	int (*write_word_data)(struct i2c_client *client, int page, int reg, u16 value);
	int (*write_byte)(struct i2c_client *client, int page, u8 value);
	int (*identify)(struct i2c_client *client, struct pmbus_driver_info *info);
};
int pmbus_do_probe(struct i2c_client *client, struct pmbus_driver_info *info);

static struct pmbus_driver_info plain_info = { .pages = 1, .m = { 1 } };

static int demo_identify(struct i2c_client *client, struct pmbus_driver_info *info)
{
	info->R[0] = 3; // RACE!
	return 0;
}

static struct pmbus_driver_info other_info = { .pages = 1, .identify = demo_identify };

static int demo_probe(struct i2c_client *client)
{
	if (client->addr & 1)
		return pmbus_do_probe(client, &other_info); // RACE!
	return pmbus_do_probe(client, &plain_info); // RACE: which info identify gets is not known
}

static struct i2c_driver demo_driver = { .probe_new = demo_probe };
module_i2c_driver(demo_driver);
