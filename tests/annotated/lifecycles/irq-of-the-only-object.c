/* There is one object, and the line is the one that it says. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/interrupt.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>

struct demo {
	int line, count;
};

static struct demo *demo_only;
static DEFINE_MUTEX(lock);

static irqreturn_t demo_irq(int irq, void *data)
{
	struct demo *demo = data;

	demo->count++; // NORACE
	return IRQ_HANDLED;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct demo *demo = demo_only;
	int err;

	mutex_lock(&lock);
	err = request_irq(demo->line, demo_irq, 0, "demo", demo);
	if (!err)
		free_irq(demo->line, demo);
	mutex_unlock(&lock);
	return err;
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	demo_only = kzalloc(sizeof(*demo_only), GFP_KERNEL);
	if (!demo_only)
		return -ENOMEM;
	demo_only->line = 7;
	return misc_register(&demo_misc);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
