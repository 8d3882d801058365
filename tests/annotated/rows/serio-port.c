/* A port is opened and closed: its driver is set under its lock, and the rest of the port is another module's. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>

struct serio;
struct serio_driver { const char *description; int (*connect)(struct serio *serio, struct serio_driver *driver); };
struct serio {
	void *port_data;
	char phys[32];
	spinlock_t lock;
	int (*open)(struct serio *serio);
	void (*close)(struct serio *serio);
	struct serio_driver *drv;
	struct mutex drv_mutex;
	struct device dev;
};
int serio_open(struct serio *serio, struct serio_driver *driver);
void serio_close(struct serio *serio);

extern struct serio *demo_serio(void);
static struct serio_driver demo_driver;
static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(state_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	mutex_lock(&lock);
	if (!serio_open(demo_serio(), &demo_driver)) // RACE!
		serio_close(demo_serio()); // RACE!
	mutex_unlock(&lock);
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct serio *serio = demo_serio();

	mutex_lock(&state_lock);
	serio->dev.driver_data = NULL; // NORACE
	serio->phys[0] = len; // NORACE
	spin_lock_irq(&serio->lock);
	if (serio->drv != &demo_driver) // NORACE
		len = 0;
	spin_unlock_irq(&serio->lock);
	if (!serio->drv) // RACE!
		len = 0;
	serio->port_data = NULL; // RACE!
	serio->open = NULL; // RACE!
	serio->close = NULL; // RACE!
	mutex_unlock(&state_lock);
	return len;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
EXPORT_SYMBOL(demo_driver);
MODULE_LICENSE("GPL");
