/* An NCI controller: what runs under req_lock, what under the device's lock, what is received one after the other,
   and what may still run when it is unregistered. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/nfc/nci_core.h>

struct demo {
	int up, closing, selected, late, received, answers, events, loads;
};

static struct nci_dev *the_device;

static int demo_open(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->up = 1; // NORACE
	demo->selected = 0; // NORACE
	return 0;
}

static int demo_setup(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->up++; // NORACE
	return 0;
}

/* Unregistering calls it, too, without the device's lock. */
static int demo_close(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->up = 0; // NORACE
	demo->closing = 1; // RACE!
	return 0;
}

static int demo_fw_download(struct nci_dev *ndev, const char *name)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->selected++; // NORACE
	demo->closing = 0; // RACE!
	return 0;
}

static int demo_discover_se(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->selected--; // NORACE
	return 0;
}

static int demo_se_io(struct nci_dev *ndev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->late = 1; // RACE!
	demo->answers = 0; // RACE!
	return 0;
}

static int demo_send(struct nci_dev *ndev, struct sk_buff *skb)
{
	kfree_skb(skb); // NORACE
	return 0;
}

static u32 demo_get_rfprotocol(struct nci_dev *ndev, u8 protocol)
{
	struct demo *demo = nci_get_drvdata(ndev);

	return demo->received++; // NORACE
}

static int demo_answer(struct nci_dev *ndev, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->received = skb->len; // NORACE
	demo->answers++; // RACE!
	return 0;
}

static void demo_event_received(struct nci_dev *ndev, u8 pipe, u8 event, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->events++; // RACE!
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
}

static void demo_cmd_received(struct nci_dev *ndev, u8 pipe, u8 cmd, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(ndev);

	demo->events--; // RACE!
}

static int demo_load_session(struct nci_dev *ndev)
{
	struct demo *demo = nci_get_drvdata(ndev);

	return demo->loads++; // RACE!
}

static const struct nci_driver_ops demo_answers[] = {
	{ .opcode = 1, .rsp = demo_answer },
};

static const struct nci_ops demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.setup = demo_setup,
	.send = demo_send,
	.fw_download = demo_fw_download,
	.discover_se = demo_discover_se,
	.se_io = demo_se_io,
	.get_rfprotocol = demo_get_rfprotocol,
	.hci_event_received = demo_event_received,
	.hci_cmd_received = demo_cmd_received,
	.hci_load_session = demo_load_session,
	.prop_ops = demo_answers,
	.n_prop_ops = 1,
};

static int __init demo_init(void)
{
	struct nci_dev *ndev = nci_allocate_device(&demo_ops, 1, 0, 0);
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!ndev || !demo)
		return -ENOMEM;
	demo->up = 1; // NORACE
	nci_set_drvdata(ndev, demo);
	the_device = ndev;
	return nci_register_device(ndev);
}

static void __exit demo_exit(void)
{
	struct demo *demo = nci_get_drvdata(the_device);

	nci_unregister_device(the_device);
	demo->up = 0; // NORACE
	demo->selected = 0; // NORACE
	demo->received = 0; // NORACE
	demo->late = 0; // RACE!
	demo->events = 0; // RACE!
}
module_init(demo_init);
module_exit(demo_exit);
