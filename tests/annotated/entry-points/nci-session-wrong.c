/* A session is begun while events and commands come, and while others talk to secure elements. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/nfc/nci_core.h>

struct demo {
	int loads, events;
};

static int demo_open(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->loads = 0; // RACE!
	return 0;
}

static int demo_setup(struct nci_dev *ndev)
{
	ndev->hci_dev->init_data.gate_count = 1; // NORACE
	ndev->hci_dev->init_data.gates[0].gate = 0; // NORACE
	return nci_hci_dev_session_init(ndev); // RACE!
}

static int demo_close(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	return demo->loads; // RACE!
}

static int demo_send(struct nci_dev *ndev, struct sk_buff *skb)
{
	kfree_skb(skb); // NORACE
	return 0;
}

static int demo_load_session(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->loads++; // RACE!
	ndev->hci_dev->count_pipes++; // RACE!
	return 0;
}

static void demo_event_received(struct nci_dev *ndev, u8 pipe, u8 event, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->events++; // RACE!
	demo->loads = 0; // RACE!
	kfree_skb(skb); // NORACE
}

static void demo_cmd_received(struct nci_dev *ndev, u8 pipe, u8 cmd, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->events--; // RACE!
	ndev->hci_dev->count_pipes = 0; // RACE!
	ndev->hci_dev->init_data.gates[0].pipe = pipe; // RACE!
}

static int demo_discover_se(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->events = 0; // RACE!
	return 0;
}

static const struct nci_ops demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.setup = demo_setup,
	.send = demo_send,
	.hci_load_session = demo_load_session,
	.hci_event_received = demo_event_received,
	.hci_cmd_received = demo_cmd_received,
	.discover_se = demo_discover_se,
};

static int __init demo_init(void)
{
	struct nci_dev *ndev = nci_allocate_device(&demo_ops, 1, 0, 0);
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!ndev || !demo)
		return -ENOMEM;
	nci_set_drvdata(ndev, demo);
	return nci_register_device(ndev);
}
module_init(demo_init);
