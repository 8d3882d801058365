/* An array of characters becomes a struct behind the argument of a callback. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/interrupt.h>

static DEFINE_MUTEX(b);

struct priv {
	int a;
	int b;
};

struct box {
	char cb[48];
	int n;
};

static struct box *g;
static irqreturn_t demo_irq(int irq, void *id)
{
	struct priv *p = id;

	p->b = 3; // RACE!
	return IRQ_HANDLED;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	mutex_lock(&b);
	g->cb[4] = 2; // RACE!
	mutex_unlock(&b);
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	g = kzalloc(sizeof(*g), GFP_KERNEL);
	if (request_irq(3, demo_irq, 0, "demo", g->cb))
		return -EIO;
	return misc_register(&demo_misc);
}
module_init(demo_init);
