/* What the functions of drivers write that shared cores call: another lock protects nothing. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/i2c.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include "members-of-cores.h"

extern struct tpm_tis_data *demo_tis(void);
extern struct tpm_chip *demo_chip(void);
extern struct i2c_client *demo_client(void);
extern struct pmbus_driver_info *demo_info(void);
extern struct occ *demo_occ(void);
extern struct bcm47xx_wdt *demo_wdt(void);
extern struct nfcmrvl_private *demo_nfc(void);
extern const struct adxl34x_bus_ops *demo_bus(void);
extern const struct cma3000_bus_ops *demo_cma(void);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static u8 answer[8];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct tpm_tis_data *tis = demo_tis();
	struct tpm_chip *chip = demo_chip();
	struct i2c_client *client = demo_client();
	struct pmbus_driver_info *info = demo_info();
	struct occ *occ = demo_occ();
	struct bcm47xx_wdt *wdt = demo_wdt();
	unsigned long times[4];
	u8 bytes[8] = { 1 };

	mutex_lock(&lock);
	tis->phy_ops->write_bytes(tis, 0, sizeof(bytes), bytes, 0);
	tis->phy_ops->read_bytes(tis, 0, sizeof(answer), answer, 0); // RACE!
	tis->phy_ops->verify_crc(tis, sizeof(bytes), bytes);
	chip->ops->update_timeouts(chip, times); // RACE!
	chip->ops->update_durations(chip, times);
	info->write_byte(client, 0, 1);
	info->write_byte_data(client, 0, 1, info->read_byte_data(client, 0, 1));
	info->write_word_data(client, 0, 1, info->read_word_data(client, 0, 0, 1));
	demo_bus()->read_block(&client->dev, 1, sizeof(bytes), bytes);
	demo_bus()->write(&client->dev, 1, demo_bus()->read(&client->dev, 1));
	demo_cma()->write(&client->dev, 1, demo_cma()->read(&client->dev, 1, "x"), "y");
	occ->send_cmd(occ, bytes, sizeof(bytes), times, sizeof(times));
	wdt->timer_set(wdt, wdt->timer_set_ms(wdt, arg));
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct nfcmrvl_private *nfc = demo_nfc();
	struct sk_buff *skb = dev_alloc_skb(len);

	if (!skb)
		return -ENOMEM;
	if (nfc->if_ops->nci_open(nfc))
		return -EIO;
	nfc->if_ops->nci_update_config(nfc, NULL);
	nfc->if_ops->nci_send(nfc, skb);
	nfc->if_ops->nci_close(nfc);
	return len;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	ssize_t read;

	mutex_lock(&state_lock);
	demo_tis()->locality = len; // NORACE
	demo_chip()->locality = len; // NORACE
	demo_info()->pages = len; // NORACE
	demo_client()->addr = len; // NORACE
	demo_occ()->bus_dev = NULL; // NORACE
	demo_wdt()->max_timer_ms = len; // NORACE
	demo_nfc()->phy = len; // NORACE
	read = answer[0] + demo_chip()->timeout_adjusted; // RACE!
	mutex_unlock(&state_lock);
	return read;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
