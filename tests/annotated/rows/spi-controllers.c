/* What controllers of SPI look at when they are asked, or told to select a device: how that is set up. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include "spi-controllers.h"

struct demo { int n; };
extern struct spi_device *demo_spi(void);
static DEFINE_MUTEX(lock);
static struct spi_transfer shared;
static struct spi_message sent;

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct spi_device *spi = demo_spi();
	struct spi_controller *ctlr = spi->controller;

	mutex_lock(&lock);
	ctlr->set_cs(spi, true); // RACE!
	ctlr->set_cs_timing(spi); // RACE!
	ctlr->can_dma(ctlr, spi, &shared); // RACE!
	ctlr->handle_err(ctlr, &sent); // NORACE
	ctlr->unprepare_message(ctlr, &sent); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	struct spi_device *spi = demo_spi();
	struct spi_controller *ctlr = spi->controller;

	return ctlr->max_message_size(spi) + ctlr->max_transfer_size(spi); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct spi_device *spi = demo_spi();

	mutex_lock(&lock);
	spi->controller->dma_tx = NULL; // NORACE
	mutex_unlock(&lock);
	WRITE_ONCE(((struct demo *)spi->controller->private)->n, 1); // NORACE
	WRITE_ONCE(spi->mode, 1); // RACE!
	WRITE_ONCE(spi->controller_state, NULL); // RACE!
	WRITE_ONCE(spi->cs_gpiod, NULL); // RACE!
	WRITE_ONCE(spi->cs_hold.value, 1); // RACE!
	WRITE_ONCE(sent.status, 1); // NORACE
	WRITE_ONCE(sent.spi, NULL); // RACE!
	WRITE_ONCE(shared.speed_hz, 1); // NORACE
	WRITE_ONCE(shared.len, 1); // RACE!
	WRITE_ONCE(shared.tx_buf, NULL); // RACE!
	return 0;
}

static int demo_open(struct inode *inode, struct file *file)
{
	WRITE_ONCE(demo_spi()->chip_select, 1); // RACE!
	return demo_spi()->controller->dma_rx != NULL; // RACE!
}

static int demo_mmap(struct file *file, struct vm_area_struct *area)
{
	struct spi_device *spi = demo_spi();

	spi->controller->cleanup(spi); // RACE!
	return spi->controller->setup(spi); // RACE!
}

static int demo_release(struct inode *inode, struct file *file)
{
	struct spi_device *spi = demo_spi();

	WRITE_ONCE(spi->bits_per_word, 8); // RACE!
	return spi->max_speed_hz + // RACE!
	       (spi->controller_data != NULL); // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.release = demo_release,
	.mmap = demo_mmap,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
