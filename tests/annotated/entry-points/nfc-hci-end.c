/* When an HCI controller is unregistered its operations are over; those of its link only when it is freed. */
// verdict: potential
#include <linux/module.h>
#include <net/nfc/hci.h>

static struct nfc_hci_dev *the_device;

static int demo_open(struct nfc_hci_dev *hdev)
{
	hdev->gb_len++; // NORACE
	return 0;
}

static int demo_xmit(struct nfc_hci_dev *hdev, struct sk_buff *skb)
{
	hdev->sw_romlib++; // RACE!
	return 0;
}

static int demo_se_io(struct nfc_hci_dev *hdev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context)
{
	hdev->sw_patch++; // RACE!
	return 0;
}

static const struct nfc_hci_ops demo_ops = {
	.open = demo_open,
	.xmit = demo_xmit,
	.se_io = demo_se_io,
};

static int __init demo_init(void)
{
	struct nfc_hci_init_data data = { .gate_count = 0 };
	struct nfc_hci_dev *hdev = nfc_hci_allocate_device(&demo_ops, &data, 0, 1, "shdlc", 0, 0, 0);

	if (!hdev)
		return -ENOMEM;
	the_device = hdev;
	hdev->sw_romlib = 1; // NORACE
	return nfc_hci_register_device(hdev);
}

static void __exit demo_exit(void)
{
	struct nfc_hci_dev *hdev = the_device;

	nfc_hci_unregister_device(hdev);
	hdev->gb_len = 0; // NORACE
	hdev->sw_romlib = 0; // RACE!
	hdev->sw_patch = 0; // RACE!
}
module_init(demo_init);
module_exit(demo_exit);
