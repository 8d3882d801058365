/* An NFC controller: open and close under req_lock, send from work queues. */
// verdict: potential
#include <linux/module.h>
#include <linux/netdevice.h>
#include <net/nfc/nci_core.h>

static int sent;

static int demo_open(struct nci_dev *ndev)
{
	ndev->driver_data = NULL; // NORACE
	sent = 0; // RACE!
	return 0;
}

static int demo_close(struct nci_dev *ndev)
{
	ndev->driver_data = NULL; // NORACE
	return 0;
}

static int demo_send(struct nci_dev *ndev, struct sk_buff *skb)
{
	sent++; // RACE!
	return 0;
}

static const struct nci_ops demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.send = demo_send,
};

static int __init demo_init(void)
{
	struct nci_dev *ndev = nci_allocate_device(&demo_ops, 0, 0, 0);

	return ndev ? nci_register_device(ndev) : -ENOMEM;
}
module_init(demo_init);
