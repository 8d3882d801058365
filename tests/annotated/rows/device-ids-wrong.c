/* The table that tells chips apart is changed while it is searched. */
// verdict: potential
#include <linux/module.h>
#include <linux/i2c.h>
#include <linux/slab.h>

const struct i2c_device_id *i2c_match_id(const struct i2c_device_id *id, const struct i2c_client *client);
const struct i2c_device_id *i2c_client_get_device_id(const struct i2c_client *client);

struct demo {
	unsigned long kind;
};

static struct i2c_device_id demo_ids[] = { { "demo", 1 }, { "other", 2 }, { } };

static int demo_probe(struct i2c_client *client)
{
	struct demo *demo = devm_kzalloc(&client->dev, sizeof(*demo), GFP_KERNEL);
	const struct i2c_device_id *id;

	if (!demo)
		return -ENOMEM;
	id = i2c_match_id(demo_ids, client);
	demo->kind = id->driver_data; // RACE!
	client->dev.driver_data = demo;
	return 0;
}

void demo_add(unsigned long kind)
{
	demo_ids[0].driver_data = kind; // RACE!
}
EXPORT_SYMBOL(demo_add);

static struct i2c_driver demo_driver = { .probe_new = demo_probe };
module_i2c_driver(demo_driver);
