/* After a kfifo was freed, it has no buffer: what is put into the next is not in a variable. */
// verdict: race-free
#include <linux/fs.h>
#include <linux/kfifo.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>

static int verbose;
module_param(verbose, int, 0444);

int *demo_verbose(void)
{
	return &verbose;
}
EXPORT_SYMBOL(demo_verbose);

static DEFINE_MUTEX(lock);
static DECLARE_KFIFO_PTR(fifo, unsigned char);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned char value = arg;

	mutex_lock(&lock);
	switch (cmd) {
	case 0:
		kfifo_free(&fifo);
		break;
	case 1:
		kfifo_alloc(&fifo, 64, GFP_KERNEL);
		break;
	default:
		kfifo_in(&fifo, &value, 1); // NORACE
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *to, size_t n, loff_t *at)
{
	return verbose; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
