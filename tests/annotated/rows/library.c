/* Queues of records, trees, and settings of watchdogs: what is read and what is written. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/watchdog.h>
#include <linux/xarray.h>

void __kfifo_skip_r(struct __kfifo *fifo, size_t record);
unsigned int __kfifo_len_r(struct __kfifo *fifo, size_t record);
bool xa_get_mark(struct xarray *xa, unsigned long index, unsigned int mark);
void watchdog_set_restart_priority(struct watchdog_device *wdd, int priority);
static struct __kfifo skipped, looked_at, growing;
static struct xarray array;
static struct watchdog_device wdd, late_wdd;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	__kfifo_skip_r(&skipped, 1); // RACE!
	__kfifo_len_r(&looked_at, 1); // NORACE
	__kfifo_len_r(&growing, 1); // RACE!
	xa_get_mark(&array, 1, 1); // NORACE
	xa_store(&array, 1, NULL, GFP_KERNEL); // NORACE
	watchdog_init_timeout(&wdd, 1, NULL); // RACE!
	watchdog_set_restart_priority(&late_wdd, 1); // RACE!
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	growing.in++; // RACE!
	return n;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
