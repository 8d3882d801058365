/* Buffers that frameworks give as void *: what is written there is no struct of the module's. */
// assume: type-split
#include <linux/mailbox_client.h>
#include <linux/module.h>
#include <linux/parport.h>
#include <linux/slab.h>
#include <linux/spinlock.h>

struct demo {
	spinlock_t lock;
	struct mbox_client client;
	int count;
};

static void demo_received(struct mbox_client *client, void *message)
{
	struct demo *demo = container_of(client, struct demo, client);
	unsigned char *bytes = message;
	unsigned long flags;

	bytes[0] = 1; // RACE!
	spin_lock_irqsave(&demo->lock, flags);
	demo->count++; // NORACE
	spin_unlock_irqrestore(&demo->lock, flags);
}

static size_t demo_epp_write_data(struct parport *port, const void *buffer, size_t length, int flags)
{
	struct demo *demo = port->private_data; // RACE: whose buffers these are is not known
	int first = *(const unsigned char *)buffer; // RACE: whose buffers these are is not known
	unsigned long irq;

	spin_lock_irqsave(&demo->lock, irq);
	demo->count += first; // NORACE
	spin_unlock_irqrestore(&demo->lock, irq);
	return length;
}

static const struct parport_operations demo_ops = {
	.epp_write_data = demo_epp_write_data,
	.owner = THIS_MODULE,
};

void demo_announce(const struct parport_operations *ops, struct mbox_client *client);

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	spin_lock_init(&demo->lock);
	demo->client.rx_callback = demo_received;
	demo_announce(&demo_ops, &demo->client); // RACE: what it does with the client is not known
	return 0;
}
module_init(demo_init);
