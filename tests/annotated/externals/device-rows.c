/* Functions of buses and classes of devices that read or fill what they are given; each line that writes has an object of
 * its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/i2c.h>
#include <linux/pci.h>
#include <linux/regmap.h>
#include <linux/platform_device.h>
#include <linux/rtc.h>
#include <linux/slab.h>
#include <linux/usb.h>

struct spi_device;
struct reg_sequence;
struct regmap_field;
struct device_node;
struct property;
union i2c_smbus_data;
s32 i2c_smbus_read_block_data(const struct i2c_client *client, u8 command, u8 *values);
s32 i2c_smbus_write_block_data(const struct i2c_client *client, u8 command, u8 n, const u8 *values);
s32 i2c_smbus_xfer(struct i2c_adapter *adapter, u16 addr, unsigned short flags, char rw, u8 command, int size, void *data);
int i2c_transfer_buffer_flags(const struct i2c_client *client, char *buf, int n, u16 flags);
int spi_write_then_read(struct spi_device *spi, const void *out, unsigned int n, void *in, unsigned int m);
int spi_write(struct spi_device *spi, const void *buf, size_t n);
int spi_read(struct spi_device *spi, void *buf, size_t n);
int usb_control_msg(struct usb_device *dev, unsigned int pipe, u8 request, u8 type, u16 value, u16 index, void *data,
		    u16 n, int timeout);
int usb_control_msg_recv(struct usb_device *dev, u8 endpoint, u8 request, u8 type, u16 value, u16 index, void *data,
			 u16 n, int timeout, gfp_t flags);
int usb_interrupt_msg(struct usb_device *dev, unsigned int pipe, void *data, int n, int *actual, int timeout);
int usb_string(struct usb_device *dev, int index, char *buf, size_t n);
int usb_get_descriptor(struct usb_device *dev, unsigned char type, unsigned char index, void *buf, int n);
int usb_get_status(struct usb_device *dev, int recipient, int type, int target, void *data);
int regmap_bulk_read(struct regmap *map, unsigned int reg, void *values, size_t count);
int regmap_bulk_write(struct regmap *map, unsigned int reg, const void *values, size_t count);
int regmap_noinc_read(struct regmap *map, unsigned int reg, void *data, size_t n);
int regmap_multi_reg_write(struct regmap *map, const void *sequence, int count);
int regmap_update_bits_base(struct regmap *map, unsigned int reg, unsigned int mask, unsigned int value, bool *change,
			    bool async, bool force);
int regmap_field_read(struct regmap_field *field, unsigned int *value);
int regmap_fields_read(struct regmap_field *field, unsigned int id, unsigned int *value);
int regmap_field_update_bits_base(struct regmap_field *field, unsigned int mask, unsigned int value, bool *change,
				  bool async, bool force);
int rtc_read_time(struct rtc_device *rtc, struct rtc_time *tm);
int rtc_set_time(struct rtc_device *rtc, struct rtc_time *tm);
int rtc_read_alarm(struct rtc_device *rtc, struct rtc_wkalrm *alarm);
int rtc_set_alarm(struct rtc_device *rtc, struct rtc_wkalrm *alarm);
int rtc_valid_tm(struct rtc_time *tm);
int pci_read_config_byte(const struct pci_dev *dev, int where, u8 *value);
int pci_read_config_word(const struct pci_dev *dev, int where, u16 *value);
int pci_read_config_dword(const struct pci_dev *dev, int where, u32 *value);
int pcie_capability_read_word(struct pci_dev *dev, int pos, u16 *value);
ssize_t pci_read_vpd(struct pci_dev *dev, loff_t pos, size_t count, void *buf);
const void *of_get_property(const struct device_node *node, const char *name, int *length);
int of_property_read_u32_index(const struct device_node *node, const char *name, u32 index, u32 *value);
int of_property_read_variable_u32_array(const struct device_node *node, const char *name, u32 *values, size_t min,
					size_t max);
int device_property_read_u32_array(const struct device *dev, const char *name, u32 *values, size_t n);
int alloc_chrdev_region(dev_t *dev, unsigned int minor, unsigned int count, const char *name);

static u8 same[64], changed[64];
static u8 out0[64], out1[64], out2[64], out3[64], out4[64], out5[64], out6[64], out7[64], out8[64], out9[64];
static u8 out10[64], out11[64], out12[64], out13[64], out14[64], out15[64], out16[64];
static int actual, length;
static bool change[2];
static unsigned int value[6];
static u16 word[2];
static dev_t number;
static struct rtc_time same_time, changed_time, time[2];
static struct rtc_wkalrm same_alarm, changed_alarm, alarm;

static long demo_buses(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct i2c_client *client = file->private_data;
	u8 own[64];

	switch (cmd) {
	case 0:
		i2c_smbus_read_block_data(client, 1, out0); // RACE!
		i2c_smbus_write_block_data(client, 1, 4, same); // NORACE
		i2c_smbus_write_block_data(client, 1, 4, changed); // RACE!
		i2c_smbus_write_i2c_block_data(client, 1, 4, same); // NORACE
		i2c_smbus_write_i2c_block_data(client, 1, 4, changed); // RACE!
		i2c_smbus_xfer(NULL, 1, 0, 0, 1, 1, out1); // RACE!
		i2c_transfer_buffer_flags(client, (char *)out2, 4, 0); // RACE!
		break;
	case 1:
		spi_write_then_read(NULL, same, 4, own, 4); // NORACE
		spi_write_then_read(NULL, changed, 4, own, 4); // RACE!
		spi_write_then_read(NULL, same, 4, out3, 4); // RACE!
		spi_write(NULL, same, 4); // NORACE
		spi_write(NULL, changed, 4); // RACE!
		spi_read(NULL, out4, 4); // RACE!
		break;
	case 2:
		usb_control_msg(NULL, 0, 1, 2, 3, 4, out5, 4, 5); // RACE!
		usb_control_msg_recv(NULL, 0, 1, 2, 3, 4, out6, 4, 5, GFP_KERNEL); // RACE!
		usb_control_msg_send(NULL, 0, 1, 2, 3, 4, same, 4, 5, GFP_KERNEL); // NORACE
		usb_control_msg_send(NULL, 0, 1, 2, 3, 4, changed, 4, 5, GFP_KERNEL); // RACE!
		usb_interrupt_msg(NULL, 0, out7, 4, (int *)own, 5); // RACE!
		usb_interrupt_msg(NULL, 0, own, 4, &actual, 5); // RACE!
		break;
	case 3:
		usb_string(NULL, 1, (char *)out8, 4); // RACE!
		usb_get_descriptor(NULL, 1, 2, out9, 4); // RACE!
		usb_get_status(NULL, 0, 0, 0, out10); // RACE!
		break;
	}
	return 0;
}

static long demo_registers(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct regmap *map = file->private_data;
	unsigned int own;

	switch (cmd) {
	case 0:
		regmap_bulk_read(map, 1, out11, 4); // RACE!
		regmap_bulk_write(map, 1, same, 4); // NORACE
		regmap_bulk_write(map, 1, changed, 4); // RACE!
		regmap_noinc_read(map, 1, out12, 4); // RACE!
		regmap_raw_write(map, 1, same, 4); // NORACE
		regmap_raw_write(map, 1, changed, 4); // RACE!
		regmap_multi_reg_write(map, same, 4); // NORACE
		regmap_multi_reg_write(map, changed, 4); // RACE!
		break;
	case 1:
		regmap_read(map, 1, &own); // NORACE
		regmap_read(map, 1, &value[0]); // RACE!
		regmap_field_read(NULL, &value[1]); // RACE!
		regmap_fields_read(NULL, 1, &value[2]); // RACE!
		regmap_update_bits_base(map, 1, 2, 3, &change[0], false, false); // RACE!
		regmap_update_bits_base(map, 1, 2, 3, NULL, false, false); // NORACE
		regmap_field_update_bits_base(NULL, 1, 2, &change[1], false, false); // RACE!
		break;
	}
	return 0;
}

static int demo_clock(struct file *file, loff_t start, loff_t end, int cmd)
{
	switch (cmd) {
	case 0:
		rtc_read_time(NULL, &time[0]); // RACE!
		rtc_time64_to_tm(1, &time[1]); // RACE!
		rtc_set_time(NULL, &same_time); // NORACE
		rtc_set_time(NULL, &changed_time); // RACE!
		rtc_valid_tm(&same_time); // NORACE
		rtc_valid_tm(&changed_time); // RACE!
		break;
	case 1:
		rtc_read_alarm(NULL, &alarm); // RACE!
		rtc_set_alarm(NULL, &same_alarm); // NORACE
		rtc_set_alarm(NULL, &changed_alarm); // RACE!
		break;
	}
	return 0;
}

static int demo_configuration(struct file *file, void *id)
{
	struct platform_device *pdev;

	switch ((unsigned long)id) {
	case 0:
		pci_read_config_byte(NULL, 1, out13); // RACE!
		pci_read_config_word(NULL, 1, &word[0]); // RACE!
		pci_read_config_dword(NULL, 1, &value[3]); // RACE!
		pcie_capability_read_word(NULL, 1, &word[1]); // RACE!
		pci_read_vpd(NULL, 1, 4, out14); // RACE!
		break;
	case 1:
		of_get_property(NULL, "demo", &length); // RACE!
		of_property_read_u32_index(NULL, "demo", 1, &value[4]); // RACE!
		of_property_read_variable_u32_array(NULL, "demo", (u32 *)out15, 1, 4); // RACE!
		device_property_read_u32_array(NULL, "demo", (u32 *)out16, 4); // RACE!
		break;
	case 2:
		pdev = kzalloc(sizeof(*pdev), GFP_KERNEL);
		if (!pdev)
			break;
		platform_device_add_data(pdev, same, 4); // NORACE
		platform_device_add_data(pdev, changed, 4); // RACE!
		kfree(pdev); // NORACE
		alloc_chrdev_region(&number, 0, 1, "demo"); // RACE!
		break;
	}
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	changed[0] = 1; // RACE!
	changed_time.tm_sec = 1; // RACE!
	changed_alarm.enabled = 1; // RACE!
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_buses,
	.compat_ioctl = demo_registers,
	.fsync = demo_clock,
	.flush = demo_configuration,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
