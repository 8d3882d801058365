/* Both ends of a kfifo are under one lock. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/kfifo.h>
#include <linux/slab.h>

static DEFINE_MUTEX(lock);
static DECLARE_KFIFO_PTR(fifo, int);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	int value = arg;

	mutex_lock(&lock);
	if (cmd)
		kfifo_in(&fifo, &value, 1); // NORACE
	else
		kfifo_out(&fifo, &value, 1); // NORACE
	mutex_unlock(&lock);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
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
