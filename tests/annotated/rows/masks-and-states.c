// verdict: potential
/* What functions of the kernel set in structs that drivers, or inline functions of headers, read: the DMA mask (drivers/ata/sata_nv.c:747), the state
   of a SCSI host (scsi_host_in_recovery), the card of an MMC host, whether an IDA is empty (ida_is_empty), what is in the tail of a terminal's buffer (tty_insert_flip_char).
   What a mask leads to (dev->dma_mask) is not said. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/device.h>
#include <linux/xarray.h>

int dma_set_mask(struct device *dev, u64 mask);
int dma_set_coherent_mask(struct device *dev, u64 mask);
struct Scsi_Host { spinlock_t *host_lock; int shost_state; };
void scsi_remove_host(struct Scsi_Host *shost);
struct ida { struct xarray xa; };
int ida_alloc_range(struct ida *ida, unsigned int min, unsigned int max, unsigned int flags);
void ida_free(struct ida *ida, unsigned int id);
struct mmc_host { void *card; };
void mmc_remove_host(struct mmc_host *host);
struct tty_buffer { int used, size; };
struct tty_bufhead { struct tty_buffer *head, *tail; };
struct tty_port { struct tty_bufhead buf; };
void tty_flip_buffer_push(struct tty_port *port);

static u64 mask, locked_mask;
static struct device dev = { .dma_mask = &mask };
static struct device locked_dev = { .dma_mask = &locked_mask };
static spinlock_t host_lock;
static struct Scsi_Host host = { .host_lock = &host_lock };
static struct mmc_host slot;
static struct ida ida;
static struct tty_buffer buffer;
static struct tty_port port = { .buf.tail = &buffer };
static DEFINE_MUTEX(setting);
static DEFINE_MUTEX(inserting);
static DEFINE_MUTEX(lock);

void demo_set(void)
{
	mutex_lock(&setting);
	dma_set_mask(&dev, 0xffffffff); // NORACE
	dma_set_coherent_mask(&dev, 0xffffffff); // RACE!
	scsi_remove_host(&host); // RACE!
	ida_alloc_range(&ida, 0, 9, 0); // RACE!
	mmc_remove_host(&slot); // RACE!
	tty_flip_buffer_push(&port); // RACE!
	mutex_lock(&lock);
	dma_set_coherent_mask(&locked_dev, 0xffffffff); // NORACE
	mutex_unlock(&lock);
	mutex_unlock(&setting);
}
EXPORT_SYMBOL(demo_set);

u64 demo_masks(void)
{
	u64 all;

	mutex_lock(&lock);
	all = locked_dev.coherent_dma_mask; // NORACE
	mutex_unlock(&lock);
	all &= mask; // NORACE
	return all & dev.coherent_dma_mask; // RACE!
}
EXPORT_SYMBOL(demo_masks);

bool demo_recovers(void)
{
	bool locked;

	spin_lock_irq(host.host_lock);
	locked = host.shost_state == 5; // NORACE
	spin_unlock_irq(host.host_lock);
	return locked || host.shost_state == 5; // RACE!
}
EXPORT_SYMBOL(demo_recovers);

bool demo_card(void)
{
	return slot.card; // RACE!
}
EXPORT_SYMBOL(demo_card);

bool demo_empty(void)
{
	return !ida.xa.xa_head; // RACE!
}
EXPORT_SYMBOL(demo_empty);

void demo_insert(void)
{
	mutex_lock(&inserting);
	port.buf.tail->used++; // RACE!
	mutex_unlock(&inserting);
}
EXPORT_SYMBOL(demo_insert);
MODULE_LICENSE("GPL");
