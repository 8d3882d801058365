/* The chip's side of PN533: what its transport does, called through members, and frames, which are the call's own. A command's
   function runs only where the chip's driver calls it. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <lockpair/chips.h>

extern struct pn533 chip;
struct pn533_cmd *next_cmd(void);

static struct sk_buff *sent, *kept;
static void demo_work(struct work_struct *work);
static DECLARE_WORK(work, demo_work);
static DEFINE_MUTEX(lock);
static int done, calls, frames;

static void demo_tx_frame_init(void *frame, u8 code)
{
	*(u8 *)frame = code; // NORACE
	frames++; // RACE!
}

static int demo_rx_frame_size(void *frame)
{
	return *(u8 *)frame; // NORACE
}

struct pn533_frame_ops demo_frame_ops = {
	.tx_frame_init = demo_tx_frame_init,
	.rx_frame_size = demo_rx_frame_size,
};

static int demo_complete(struct pn533 *dev, void *arg, struct sk_buff *resp)
{
	done++; // NORACE
	calls++; // RACE!
	return 0;
}

static void demo_work(struct work_struct *work)
{
	struct pn533_cmd *cmd = next_cmd();

	cmd->complete_cb = demo_complete; // RACE!
	mutex_lock(&lock);
	cmd->complete_cb(&chip, NULL, NULL); // RACE!
	mutex_unlock(&lock);
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	schedule_work(&work);
	chip.phy_ops->send_frame(&chip, sent); // RACE!
	chip.phy_ops->send_ack(&chip, 0); // RACE!
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	done++; // NORACE
	mutex_unlock(&lock);
	chip.phy_ops->abort_cmd(&chip, 0); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	sent->len = n; // RACE!
	kept->len = n; // RACE!
	chip.phy = NULL; // RACE!
	n += calls; // RACE!
	n += chip.device_type; // NORACE
	return n + chip.cmd->status; // RACE!
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.write = demo_write,
	.unlocked_ioctl = demo_ioctl,
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
