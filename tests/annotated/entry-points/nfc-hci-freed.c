/* Freeing an HCI controller that is unregistered ends its link first; one that is registered is freed too early. */
// verdict: potential
#include <linux/module.h>
#include <net/nfc/hci.h>

static struct nfc_hci_dev *good, *bad;

static int demo_open(struct nfc_hci_dev *hdev)
{
	hdev->gb_len++; // RACE!
	return 0;
}

static int demo_xmit(struct nfc_hci_dev *hdev, struct sk_buff *skb)
{
	hdev->sw_romlib++; // NORACE
	return 0;
}

static const struct nfc_hci_ops demo_ops = {
	.open = demo_open,
	.xmit = demo_xmit,
};

static int __init demo_init(void)
{
	struct nfc_hci_init_data data = { .gate_count = 0 };

	good = nfc_hci_allocate_device(&demo_ops, &data, 0, 1, "shdlc", 0, 0, 0);
	bad = nfc_hci_allocate_device(&demo_ops, &data, 0, 1, "shdlc", 0, 0, 0);
	if (good)
		nfc_hci_register_device(good);
	return bad ? nfc_hci_register_device(bad) : -ENOMEM;
}

static void __exit demo_exit(void)
{
	struct nfc_hci_dev *hdev = good;

	nfc_hci_unregister_device(hdev);
	nfc_hci_free_device(hdev); // NORACE
	hdev = bad;
	nfc_hci_free_device(hdev); // RACE!
}
module_init(demo_init);
module_exit(demo_exit);
