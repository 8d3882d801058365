/* The driver of a new client finds the data that it was made with. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/i2c.h>

struct demo_data {
	int value;
};

struct i2c_client *i2c_new_client_device(struct i2c_adapter *adapter, struct i2c_board_info const *info);
struct i2c_client *i2c_new_scanned_device(struct i2c_adapter *adapter, struct i2c_board_info *info,
					  unsigned short const *addresses, void *probe);

static struct i2c_adapter *adapter;

static int demo_probe(struct i2c_client *client)
{
	struct demo_data *data = client->dev.platform_data;

	return data->value; // RACE!
}

static struct i2c_driver demo_driver = { .probe_new = demo_probe, .driver = { .name = "demo" } };

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct demo_data *data = kzalloc(sizeof(*data), GFP_KERNEL);
	struct i2c_board_info info = { .platform_data = data };

	i2c_new_client_device(adapter, &info);
	data->value = len; // RACE!
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo_data *data = kzalloc(sizeof(*data), GFP_KERNEL);
	struct i2c_board_info info = { .platform_data = data };

	i2c_new_scanned_device(adapter, &info, NULL, NULL);
	data->value = len; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.write = demo_write,
	.read = demo_read,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	i2c_add_driver(&demo_driver);
	return misc_register(&demo_misc);
}
module_init(demo_init);
