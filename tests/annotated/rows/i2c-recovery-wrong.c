/* A bus is recovered in the thread that asks for it, which has locked nothing. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>

struct i2c_adapter;
struct i2c_msg;
struct i2c_algorithm {
	int (*master_xfer)(struct i2c_adapter *adap, struct i2c_msg *msgs, int num);
};
struct i2c_bus_recovery_info {
	int (*recover_bus)(struct i2c_adapter *adap);
	int (*get_scl)(struct i2c_adapter *adap);
	void (*set_scl)(struct i2c_adapter *adap, int val);
	int (*get_sda)(struct i2c_adapter *adap);
	void (*set_sda)(struct i2c_adapter *adap, int val);
	int (*get_bus_free)(struct i2c_adapter *adap);
	void (*prepare_recovery)(struct i2c_adapter *adap);
	void (*unprepare_recovery)(struct i2c_adapter *adap);
};
struct i2c_adapter {
	int nr, timeout;
	const void *lock_ops, *quirks;
	unsigned long locked_flags;
	void *algo_data;
	const struct i2c_algorithm *algo;
	struct device dev;
	struct i2c_bus_recovery_info *bus_recovery_info;
};
int i2c_add_adapter(struct i2c_adapter *adap);
int i2c_recover_bus(struct i2c_adapter *adap);
int i2c_generic_scl_recovery(struct i2c_adapter *adap);

static DEFINE_MUTEX(lock);
static int line, recovered;

static int demo_get_scl(struct i2c_adapter *adap)
{
	return line; // RACE!
}

static void demo_set_scl(struct i2c_adapter *adap, int val)
{
	line = val; // RACE!
}

static void demo_prepare(struct i2c_adapter *adap)
{
	recovered++; // RACE!
}

static struct i2c_bus_recovery_info demo_info = {
	.recover_bus = i2c_generic_scl_recovery, .get_scl = demo_get_scl, .set_scl = demo_set_scl, .prepare_recovery = demo_prepare,
};

static int demo_xfer(struct i2c_adapter *adap, struct i2c_msg *msgs, int num)
{
	mutex_lock(&lock);
	line = 1; // RACE!
	mutex_unlock(&lock);
	i2c_recover_bus(adap); // RACE: a function that a table does not have is taken for one that is not known
	return num;
}

static const struct i2c_algorithm demo_algorithm = { .master_xfer = demo_xfer };

static int demo_probe(struct platform_device *pdev)
{
	struct i2c_adapter *adap = kzalloc(sizeof(*adap), GFP_KERNEL);

	if (!adap)
		return -ENOMEM;
	adap->algo = &demo_algorithm;
	adap->bus_recovery_info = &demo_info;
	return i2c_add_adapter(adap);
}

static struct platform_driver demo_driver = { .probe = demo_probe };
module_platform_driver(demo_driver);
