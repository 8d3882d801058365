/* An HCI controller: what the core calls under the device's lock, and what from its work items. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/slab.h>
#include <net/nfc/hci.h>

struct demo {
	int early, late, state, transmitted, events, polled;
	struct sk_buff *kept;
};

static int demo_open(struct nfc_hci_dev *dev)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	demo->state = demo->early + demo->late; // RACE!
	demo->polled = 0; // RACE!
	return 0;
}

static void demo_close(struct nfc_hci_dev *dev)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	demo->state = 0; // NORACE
}

static int demo_start_poll(struct nfc_hci_dev *dev, u32 im_protocols, u32 tm_protocols)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	demo->state++; // NORACE
	return 0;
}

static int demo_im_transceive(struct nfc_hci_dev *dev, struct nfc_target *target, struct sk_buff *skb,
			      data_exchange_cb_t cb, void *context)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	skb->len++; // NORACE
	demo->kept = skb; // RACE!
	return 1;
}

static int demo_xmit(struct nfc_hci_dev *dev, struct sk_buff *skb)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	skb->len++; // NORACE
	demo->transmitted++; // NORACE
	return 0;
}

static int demo_event_received(struct nfc_hci_dev *dev, u8 pipe, u8 event, struct sk_buff *skb)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	demo->events++; // NORACE
	demo->polled++; // RACE!
	if (demo->kept) // RACE!
		demo->kept->len = 0; // RACE: the rest of im_transceive, which does not touch it any more
	return 0;
}

static void demo_cmd_received(struct nfc_hci_dev *dev, u8 pipe, u8 cmd, struct sk_buff *skb)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	demo->events--; // NORACE
}

static int demo_complete_target_discovered(struct nfc_hci_dev *dev, u8 gate, struct nfc_target *target)
{
	struct demo *demo = nfc_hci_get_clientdata(dev);

	target->supported_protocols = 1; // NORACE
	demo->polled = 1; // RACE!
	return 0;
}

static const struct nfc_hci_ops demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.start_poll = demo_start_poll,
	.im_transceive = demo_im_transceive,
	.xmit = demo_xmit,
	.event_received = demo_event_received,
	.cmd_received = demo_cmd_received,
	.complete_target_discovered = demo_complete_target_discovered,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct nfc_hci_init_data data = { .gate_count = 0 };
	struct nfc_hci_dev *hdev;

	if (!demo)
		return -ENOMEM;
	hdev = nfc_hci_allocate_device(&demo_ops, &data, 0, 1, "shdlc", 0, 0, 0);
	if (!hdev)
		return -ENOMEM;
	nfc_hci_set_clientdata(hdev, demo);
	demo->early = 1; // NORACE
	nfc_hci_register_device(hdev);
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
