/* Commands of HCI read what is sent, give fresh answers, and call back. */
// verdict: potential
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/skbuff.h>
#include <net/nfc/hci.h>

static DEFINE_MUTEX(lock);
static int sent, locked;
static int answers;
static struct nfc_hci_dev *hdev;

static void demo_answer(void *context, struct sk_buff *skb, int error)
{
	answers++; // RACE!
}

static int demo_open(struct nfc_hci_dev *dev)
{
	struct sk_buff *skb = NULL;

	if (nfc_hci_get_param(dev, 1, 1, &skb))
		return -EIO;
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
	if (nfc_hci_send_cmd(dev, 1, 1, (u8 *)&sent, sizeof(sent), &skb)) // RACE!
		return -EIO;
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
	mutex_lock(&lock);
	nfc_hci_send_event(dev, 1, 1, (u8 *)&locked, sizeof(locked)); // NORACE
	mutex_unlock(&lock);
	return nfc_hci_connect_gate(dev, 1, 1, 1); // RACE!
}

static int demo_xmit(struct nfc_hci_dev *dev, struct sk_buff *skb)
{
	sent++; // RACE!
	mutex_lock(&lock);
	locked++; // NORACE
	mutex_unlock(&lock);
	return dev->gate2pipe[1]; // RACE!
}

static int demo_event_received(struct nfc_hci_dev *dev, u8 pipe, u8 event, struct sk_buff *skb)
{
	answers = 0; // RACE!
	return nfc_hci_send_cmd_async(dev, 1, 1, NULL, 0, demo_answer, &sent); // RACE!
}

static const struct nfc_hci_ops demo_ops = {
	.open = demo_open,
	.xmit = demo_xmit,
	.event_received = demo_event_received,
};

static int __init demo_init(void)
{
	struct nfc_hci_init_data data = { .gate_count = 0 };

	hdev = nfc_hci_allocate_device(&demo_ops, &data, 0, 1, "shdlc", 0, 0, 0);
	return hdev ? nfc_hci_register_device(hdev) : -ENOMEM;
}
module_init(demo_init);
