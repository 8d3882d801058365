/* A property's numbers go where they are asked for, and no further. */
// verdict: race-free
#include <linux/module.h>
#include <linux/device.h>
#include <linux/export.h>
#include <linux/mutex.h>

struct device_node;
struct fwnode_handle;
int of_property_read_variable_u8_array(const struct device_node *np, const char *propname, u8 *out_values,
				       size_t sz_min, size_t sz_max);
int of_property_read_variable_u16_array(const struct device_node *np, const char *propname, u16 *out_values,
					size_t sz_min, size_t sz_max);
int of_property_read_variable_u32_array(const struct device_node *np, const char *propname, u32 *out_values,
					size_t sz_min, size_t sz_max);
int of_property_read_variable_u64_array(const struct device_node *np, const char *propname, u64 *out_values,
					size_t sz_min, size_t sz_max);
int of_property_read_u64(const struct device_node *np, const char *propname, u64 *out_value);
int device_property_read_u8_array(struct device *dev, const char *propname, u8 *val, size_t nval);
int device_property_read_u16_array(struct device *dev, const char *propname, u16 *val, size_t nval);
int device_property_read_u32_array(struct device *dev, const char *propname, u32 *val, size_t nval);
int fwnode_property_read_u64_array(const struct fwnode_handle *fwnode, const char *propname, u64 *val, size_t nval);
int device_property_read_string(struct device *dev, const char *propname, const char **val);

struct demo {
	u8 bytes[4], after_bytes;
	u16 words[4], after_words;
	u32 numbers[4], after_numbers;
	u64 longs[4], after_longs;
	u64 one, after_one;
};
static struct demo by_node, by_device;
static const char *text;
static DEFINE_MUTEX(lock);

int demo_read(struct device *dev, const struct device_node *node, const struct fwnode_handle *fwnode)
{
	mutex_lock(&lock);
	of_property_read_variable_u8_array(node, "bytes", by_node.bytes, 4, 0); // NORACE
	of_property_read_variable_u16_array(node, "words", by_node.words, 1, 3); // NORACE
	of_property_read_variable_u32_array(node, "numbers", by_node.numbers, 4, 0); // NORACE
	of_property_read_variable_u64_array(node, "longs", by_node.longs, 4, 0); // NORACE
	of_property_read_u64(node, "one", &by_node.one); // NORACE
	device_property_read_u8_array(dev, "bytes", by_device.bytes, 4); // NORACE
	device_property_read_u16_array(dev, "words", by_device.words, 4); // NORACE
	device_property_read_u32_array(dev, "numbers", by_device.numbers, 4); // NORACE
	fwnode_property_read_u64_array(fwnode, "longs", by_device.longs, 4); // NORACE
	device_property_read_string(dev, "text", &text); // NORACE
	mutex_unlock(&lock);
	return 0;
}
EXPORT_SYMBOL(demo_read);

u64 demo_sum(void)
{
	u64 sum = by_node.after_bytes + by_node.after_words + by_node.after_numbers; // NORACE

	sum += by_node.after_longs + by_node.after_one; // NORACE
	sum += by_device.after_bytes + by_device.after_words; // NORACE
	sum += by_device.after_numbers + by_device.after_longs; // NORACE
	mutex_lock(&lock);
	sum += by_node.numbers[3] + by_device.words[3] + (text != NULL); // NORACE
	mutex_unlock(&lock);
	return sum;
}
EXPORT_SYMBOL(demo_sum);
