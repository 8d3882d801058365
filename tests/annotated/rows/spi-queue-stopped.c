/* Suspending and resuming a controller: its queue stops and goes on under its lock, and its flags are changed under a mutex. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct spi_message;
struct spi_controller {
	int bus_num;
	void *devdata;
	u16 flags;
	bool target;
	struct mutex bus_lock_mutex;
	spinlock_t queue_lock;
	struct list_head queue;
	bool queued, busy, running;
	struct spi_message *cur_msg;
	int (*target_abort)(struct spi_controller *ctlr);
};
int spi_controller_suspend(struct spi_controller *ctlr);
int spi_controller_resume(struct spi_controller *ctlr);
struct demo { int n; };
extern struct spi_controller *demo_find(void);

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	return spi_controller_suspend(demo_find()); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return spi_controller_resume(demo_find()); // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct spi_controller *ctlr = demo_find();
	int seen;

	mutex_lock(&ctlr->bus_lock_mutex);
	seen = ctlr->flags; // NORACE
	mutex_unlock(&ctlr->bus_lock_mutex);
	spin_lock_irq(&ctlr->queue_lock);
	seen += ctlr->running; // NORACE
	ctlr->busy = false; // NORACE
	spin_unlock_irq(&ctlr->queue_lock);
	WRITE_ONCE(ctlr->bus_num, 1); // NORACE
	WRITE_ONCE(((struct demo *)ctlr->devdata)->n, 1); // NORACE
	WRITE_ONCE(ctlr->queued, true); // RACE!
	WRITE_ONCE(ctlr->target, true); // RACE!
	return seen + (ctlr->cur_msg != NULL); // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct spi_controller *ctlr = demo_find();

	return ctlr->flags + // RACE!
	       ctlr->running; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
};
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
