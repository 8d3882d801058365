/* A device on a parallel port: ports come and go one after the other; who shares the port may be asked for it, and told of
   interrupts, at any time, until the device is unregistered. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/parport.h>
#include <linux/poll.h>

struct parport *find_port(void);

static struct pardevice *device;
extern struct pardevice claimed_device;
static struct parport *own;
static int ports, interrupts, asked;
static DEFINE_MUTEX(lock);

static void demo_irq(void *private)
{
	interrupts++; // RACE!
}

static int demo_preempt(void *private)
{
	return asked++; // RACE!
}

static void demo_match_port(struct parport *found)
{
	struct pardev_cb callbacks = { .irq_func = demo_irq, .preempt = demo_preempt };

	ports++; // NORACE
	device = parport_register_dev_model(found, "demo", &callbacks, 0); // RACE!
}

static void demo_detach(struct parport *gone)
{
	ports--; // NORACE
	parport_unregister_device(device); // RACE!
}

static int demo_probe(struct pardevice *dev)
{
	dev->dev.driver_data = NULL; // NORACE
	return asked; // RACE!
}

static struct parport_driver demo_driver = {
	.name = "demo",
	.match_port = demo_match_port,
	.detach = demo_detach,
	.probe = demo_probe,
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	parport_claim(&claimed_device); // RACE!
	parport_release(&claimed_device); // RACE!
	mutex_unlock(&lock);
	return own->ops->read_status(own); // RACE!
}

static __poll_t demo_poll(struct file *file, poll_table *wait)
{
	mutex_lock(&lock);
	claimed_device.waiting = 0; // NORACE
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	mutex_lock(&lock);
	parport_claim_or_block(&claimed_device); // RACE!
	mutex_unlock(&lock);
	return n;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	parport_claim(device); // RACE!
	own->base = 0; // RACE!
	if (own->cad) // RACE!
		return 0;
	return own->number; // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.poll = demo_poll,
	.read = demo_read,
	.write = demo_write,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	ports = 0; // NORACE
	own = find_port();
	if (parport_register_driver(&demo_driver))
		return -ENODEV;
	return misc_register(&demo_misc);
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	misc_deregister(&demo_misc);
	parport_unregister_driver(&demo_driver);
	ports = 0; // NORACE
}
module_exit(demo_exit);
