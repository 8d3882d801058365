/* The buffer of the next kfifo is a variable that others read. */
// verdict: potential
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

int __kfifo_init(struct __kfifo *fifo, void *buffer, unsigned int size, size_t element);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	unsigned char value = arg;

	mutex_lock(&lock);
	switch (cmd) {
	case 0:
		kfifo_free(&fifo);
		break;
	case 1:
		__kfifo_init(&fifo.kfifo, &verbose, sizeof(verbose), 1);
		break;
	default:
		kfifo_in(&fifo, &value, 1); // RACE!
	}
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *to, size_t n, loff_t *at)
{
	return verbose; // RACE!
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
