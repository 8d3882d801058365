/* A command queue: the interrupt works under the queue's lock, switching it off does not. */
// verdict: potential
#include <whole/sdhci.h>

extern struct mmc_host *demo_host(void);
extern struct cqhci_host *demo_queue(void);
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);
static int level;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (cmd == 0)
		cqhci_init(demo_queue(), demo_host(), true); // RACE!
	else if (cmd == 1)
		cqhci_deactivate(demo_host()); // RACE!
	else
		cqhci_irq(demo_host(), arg, 0, 0); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct cqhci_host *queue = demo_queue();
	struct mmc_host *mmc = demo_host();

	mutex_lock(&state_lock);
	level = queue->rca + mmc->caps; // NORACE
	spin_lock_irq(&queue->lock); // RACE!
	len = queue->qcnt + queue->recovery_halt; // RACE: that it is this queue's lock is not known
	spin_unlock_irq(&queue->lock);
	len += queue->activated + // RACE!
		queue->waiting_for_idle + // RACE!
		queue->num_slots + // RACE!
		queue->dma64 + // RACE!
		queue->caps + // RACE!
		!queue->slot + // RACE!
		!queue->mmc + // RACE!
		!mmc->cqe_private + // RACE!
		!mmc->cqe_ops + // RACE!
		mmc->cqe_qdepth + // RACE!
		mmc->cqe_on + // RACE!
		mmc->caps2 + // RACE!
		mmc->need_retune + // RACE!
		mmc->err_stats[3]; // RACE!
	queue->enabled = len; // RACE!
	queue->quirks = len; // NORACE
	queue->mmio = NULL; // RACE!
	queue->ops = NULL; // RACE!
	mmc->can_retune = len; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
