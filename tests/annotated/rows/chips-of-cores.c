/* What chips behind other drivers' functions say goes where the caller wants it: to himself, or to all. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include <linux/platform_device.h>

struct peci_device;
struct iio_channel;
struct fwnode_handle;
struct gpio_desc;
int twl_i2c_read(u8 module, u8 *value, u8 reg, unsigned int count);
int twl_i2c_write(u8 module, u8 *value, u8 reg, unsigned int count);
int ec_read(u8 addr, u8 *value);
int peci_temp_read(struct peci_device *device, s16 *raw);
int peci_pcs_read(struct peci_device *device, u8 index, u16 param, u32 *data);
int peci_pci_local_read(struct peci_device *device, u8 bus, u8 dev, u8 func, u16 reg, u32 *data);
int peci_ep_pci_local_read(struct peci_device *device, u8 seg, u8 bus, u8 dev, u8 func, u16 reg, u32 *data);
int iio_get_channel_type(struct iio_channel *channel, int *type);
int iio_read_channel_raw(struct iio_channel *channel, int *value);
int iio_convert_raw_to_processed(struct iio_channel *channel, int raw, int *processed, unsigned int scale);
struct gpio_desc *devm_fwnode_gpiod_get_index(struct device *dev, struct fwnode_handle *node, const char *name, int index,
					      int flags, const char *label);

static u8 bytes[4], ready;
static s16 raw;
static u32 data;
static int value;
static char label[8];

static ssize_t own_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	u8 b[4];
	s16 r;
	u32 d;
	int v;

	twl_i2c_read(1, b, 2, sizeof(b)); // NORACE
	twl_i2c_write(1, b, 2, sizeof(b)); // NORACE
	ec_read(1, b); // NORACE
	peci_temp_read(NULL, &r); // NORACE
	peci_pcs_read(NULL, 1, 2, &d); // NORACE
	peci_pci_local_read(NULL, 1, 2, 3, 4, &d); // NORACE
	peci_ep_pci_local_read(NULL, 1, 2, 3, 4, 5, &d); // NORACE
	iio_get_channel_type(NULL, &v); // NORACE
	iio_read_channel_raw(NULL, &v); // NORACE
	iio_convert_raw_to_processed(NULL, 1, &v, 2); // NORACE
	devm_fwnode_gpiod_get_index(dev, NULL, "line", 0, 0, "demo"); // NORACE
	return b[0] + r + d + v;
}
static DEVICE_ATTR_RO(own);

static ssize_t shared_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	twl_i2c_read(1, bytes, 2, sizeof(bytes)); // RACE!
	twl_i2c_write(1, bytes, 2, sizeof(bytes)); // RACE!
	ec_read(1, &ready); // RACE!
	peci_temp_read(NULL, &raw); // RACE!
	peci_pcs_read(NULL, 1, 2, &data); // RACE!
	peci_pci_local_read(NULL, 1, 2, 3, 4, &data); // RACE!
	peci_ep_pci_local_read(NULL, 1, 2, 3, 4, 5, &data); // RACE!
	iio_get_channel_type(NULL, &value); // RACE!
	iio_read_channel_raw(NULL, &value); // RACE!
	iio_convert_raw_to_processed(NULL, 1, &value, 2); // RACE!
	label[0]++; // RACE!
	devm_fwnode_gpiod_get_index(dev, NULL, "line", 0, 0, label); // RACE!
	return 0;
}
static DEVICE_ATTR_RO(shared);

static int demo_probe(struct platform_device *pdev)
{
	int error = device_create_file(&pdev->dev, &dev_attr_own);

	return error ? error : device_create_file(&pdev->dev, &dev_attr_shared);
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
};
module_platform_driver(demo_driver);
