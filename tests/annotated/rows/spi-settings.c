// verdict: potential
/* SPI: transfers read the settings of the device, and spi_setup reads and changes them, without a lock. As drivers/spi/spidev.c:430,
   drivers/mmc/host/mmc_spi.c:1116, drivers/net/can/spi/mcp251xfd/mcp251xfd-core.c:399. (Stub: lockpair/spi.h needs bits_per_word and
   max_speed_hz in struct spi_device.) */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/types.h>

struct spi_device { void *controller; u32 max_speed_hz; u8 chip_select, bits_per_word; u32 mode; };
int spi_setup(struct spi_device *spi);
int spi_write_then_read(struct spi_device *spi, const void *out, unsigned int n, void *in, unsigned int m);

static struct spi_device one, checked, other;
static DEFINE_MUTEX(setting);
static DEFINE_MUTEX(lock);

void demo_set(void)
{
	mutex_lock(&setting);
	one.max_speed_hz = 1000; // RACE!
	spi_setup(&checked); // RACE!
	mutex_lock(&lock);
	other.mode = 3; // NORACE
	spi_setup(&other); // NORACE
	mutex_unlock(&lock);
	mutex_unlock(&setting);
}
EXPORT_SYMBOL(demo_set);

int demo_transfer(void)
{
	u8 own[2] = { 1, 2 };

	spi_write_then_read(&one, own, 1, own + 1, 1); // RACE!
	mutex_lock(&lock);
	spi_write_then_read(&other, own, 1, own + 1, 1); // NORACE
	mutex_unlock(&lock);
	return own[1];
}
EXPORT_SYMBOL(demo_transfer);

u32 demo_bits(void)
{
	return checked.bits_per_word; // RACE!
}
EXPORT_SYMBOL(demo_bits);
MODULE_LICENSE("GPL");
