/* A watchdog: a spinlock around the hardware, an atomic flag for the one user, a timer. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/bitops.h>
#include <linux/uaccess.h>

static DEFINE_SPINLOCK(hw_lock);
static unsigned long is_open;
static int margin = 60;
static int left;
static char expect_close;
static void wdt_tick(struct timer_list *unused);
static DEFINE_TIMER(wdt_timer, wdt_tick);

static void wdt_ping(void)
{
	spin_lock_bh(&hw_lock);
	left = margin; // NORACE
	spin_unlock_bh(&hw_lock);
}

static void wdt_tick(struct timer_list *unused)
{
	spin_lock(&hw_lock);
	if (--left > 0) // NORACE
		mod_timer(&wdt_timer, 1000);
	spin_unlock(&hw_lock);
}

static int wdt_open(struct inode *inode, struct file *file)
{
	if (test_and_set_bit(0, &is_open))
		return -EBUSY;
	wdt_ping();
	mod_timer(&wdt_timer, 1000);
	return 0;
}

static int wdt_release(struct inode *inode, struct file *file)
{
	if (expect_close == 42) // NORACE
		del_timer_sync(&wdt_timer);
	else
		wdt_ping();
	expect_close = 0; // NORACE
	clear_bit(0, &is_open);
	return 0;
}

static ssize_t wdt_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	char c;

	if (len) {
		if (copy_from_user(&c, buf, 1))
			return -EFAULT;
		expect_close = c == 'V' ? 42 : 0; // RACE!
		wdt_ping();
	}
	return len;
}

static long wdt_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case 1:
		if (arg < 1 || arg > 600)
			return -EINVAL;
		spin_lock_bh(&hw_lock);
		margin = arg; // NORACE
		spin_unlock_bh(&hw_lock);
		wdt_ping();
		return 0;
	case 2:
		spin_lock_bh(&hw_lock);
		arg = left; // NORACE
		spin_unlock_bh(&hw_lock);
		return arg;
	}
	return -ENOTTY;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = wdt_open,
	.release = wdt_release,
	.write = wdt_write,
	.unlocked_ioctl = wdt_ioctl,
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
