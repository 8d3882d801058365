/* What is asked of firmware, controllers and chips: buffers are read and written as the rows say, and nothing else is. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/usb.h>

typedef void *acpi_handle;
typedef struct { u8 b[16]; } guid_t;
bool acpi_check_dsm(acpi_handle handle, const guid_t *guid, u64 rev, u64 funcs);
void acpi_evaluation_failure_warn(acpi_handle handle, const char *name, u32 status);

struct cros_ec_device;
struct cros_ec_command { u32 version, command, outsize, insize, result; u8 data[]; };
int cros_ec_cmd_xfer(struct cros_ec_device *ec, struct cros_ec_command *msg);
int cros_ec_cmd_xfer_status(struct cros_ec_device *ec, struct cros_ec_command *msg);

struct rave_sp;
int rave_sp_exec(struct rave_sp *sp, void *data, size_t size, void *reply, size_t reply_size);
struct mc13xxx;
int mc13xxx_adc_do_conversion(struct mc13xxx *chip, unsigned int mode, unsigned int channel, u8 ato, bool atox, unsigned int *sample);
struct da9052;
int da9052_adc_manual_read(struct da9052 *chip, unsigned char channel);
struct i2c_client { int irq; };
int max8925_reg_write(struct i2c_client *client, int reg, unsigned char data);
int max8925_set_bits(struct i2c_client *client, int reg, unsigned char mask, unsigned char data);
struct pcmcia_device { int opened; };
struct pcmcia_device *pcmcia_dev_present(struct pcmcia_device *dev);
int ezusb_fx1_ihex_firmware_download(struct usb_device *dev, const char *path);

struct demo {
	guid_t guid;
	int behind_guid;
	u8 question[4], answer[4];
	int behind_answer;
	unsigned int samples[8];
	int behind_samples;
};
static struct demo demo;
static struct { struct cros_ec_command command; u32 answer; } message;
static char path[8];
static acpi_handle handle;
static struct cros_ec_device *ec;
static struct rave_sp *sp;
static struct mc13xxx *chip;
static struct usb_device *usb;
static struct da9052 *adc;
static struct i2c_client client;
static struct pcmcia_device card;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (!acpi_check_dsm(handle, &demo.guid, 1, 2)) // RACE!
		acpi_evaluation_failure_warn(handle, path, 1); // RACE!
	return ezusb_fx1_ihex_firmware_download(usb, path); // RACE!
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	cros_ec_cmd_xfer_status(ec, &message.command); // RACE!
	rave_sp_exec(sp, demo.question, 4, demo.answer, 4); // RACE!
	mc13xxx_adc_do_conversion(chip, 0, 0, 0, false, demo.samples); // RACE!
	cros_ec_cmd_xfer(ec, &message.command); // RACE!
	da9052_adc_manual_read(adc, 1);
	max8925_reg_write(&client, 1, 2);
	max8925_set_bits(&client, 1, 2, 2);
	if (pcmcia_dev_present(&card) && client.irq) // NORACE
		pcmcia_dev_present(&card)->opened++; // RACE!
	return demo.behind_guid + demo.behind_answer + demo.behind_samples; // NORACE
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	static DEFINE_MUTEX(lock);

	mutex_lock(&lock);
	demo.guid.b[0] = len; // RACE!
	path[0] = len; // RACE!
	len += message.answer; // RACE!
	len += demo.question[1]; // RACE!
	len += demo.answer[1]; // RACE!
	len += demo.samples[7]; // RACE!
	mutex_unlock(&lock);
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
