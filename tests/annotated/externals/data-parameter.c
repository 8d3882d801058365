/* What the kernel gives as a message is no struct of the module's, though it is declared void *. */
// assume: type-split
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/miscdevice.h>
#include <linux/fs.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct mbox_chan;
struct mbox_client {
	struct device *dev;
	void (*rx_callback)(struct mbox_client *client, void *message);
};
struct mbox_chan *mbox_request_channel(struct mbox_client *client, int index);

struct demo {
	struct mbox_client client;
	spinlock_t lock;
	int sent;
};

static struct demo *demo;

static void demo_received(struct mbox_client *client, void *message)
{
	struct demo *d = container_of(client, struct demo, client);
	unsigned char *out = message;
	unsigned long flags;

	out[24] = 0xff; // RACE: two messages may be one
	spin_lock_irqsave(&d->lock, flags);
	d->sent++; // NORACE
	spin_unlock_irqrestore(&d->lock, flags);
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	unsigned long flags;
	int sent;

	spin_lock_irqsave(&demo->lock, flags);
	sent = demo->sent; // NORACE
	spin_unlock_irqrestore(&demo->lock, flags);
	return sent;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static struct miscdevice demo_misc = { .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->client.rx_callback = demo_received;
	mbox_request_channel(&demo->client, 0);
	return misc_register(&demo_misc);
}
module_init(demo_init);
