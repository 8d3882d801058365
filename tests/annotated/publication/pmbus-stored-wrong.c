/* What probe sets after it has told the PMBus core may be read meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/i2c.h>
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
int pmbus_do_probe(struct i2c_client *client, struct pmbus_driver_info *info);

struct demo {
	struct pmbus_driver_info info;
};

static int demo_read_word_data(struct i2c_client *client, int page, int phase, int reg)
{
	return client->addr; // RACE!
}

static int demo_probe(struct i2c_client *client)
{
	struct demo *demo = devm_kzalloc(&client->dev, sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	client->addr = 1; // NORACE
	demo->info.read_word_data = demo_read_word_data;
	err = pmbus_do_probe(client, &demo->info);
	client->addr = 2; // RACE!
	return err;
}

static struct i2c_driver demo_driver = {
	.driver = { .name = "demo" },
	.probe_new = demo_probe,
};
module_i2c_driver(demo_driver);
