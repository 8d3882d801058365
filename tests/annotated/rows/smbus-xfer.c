/* An adapter is asked for one SMBus transfer at a time; another adapter may be asked meanwhile. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/i2c.h>

union i2c_smbus_data;
struct i2c_algorithm {
	int (*smbus_xfer)(struct i2c_adapter *adap, u16 addr, unsigned short flags, char read, u8 command, int size,
			  union i2c_smbus_data *data);
};
int i2c_add_adapter(struct i2c_adapter *adap);

struct demo {
	struct i2c_adapter adap;
	const struct i2c_algorithm *algo;
	int transfers;
};

static int all;

static int demo_xfer(struct i2c_adapter *adap, u16 addr, unsigned short flags, char read, u8 command, int size,
		     union i2c_smbus_data *data)
{
	struct demo *demo = container_of(adap, struct demo, adap);

	demo->transfers++; // NORACE
	all++; // RACE!
	return 0;
}

static const struct i2c_algorithm demo_algorithm = { .smbus_xfer = demo_xfer };

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->algo = &demo_algorithm;
	return i2c_add_adapter(&demo->adap);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
