/* What only messages of the NFC family ask for runs one at a time, also commands of vendors; what comes another way does not. */
// verdict: potential
#include <linux/module.h>
#include <linux/skbuff.h>
#include <net/nfc/nci_core.h>
#include <net/nfc/hci.h>

static int by_messages, by_hci, by_nci;

static int demo_command(struct nfc_dev *dev, void *data, size_t length)
{
	by_messages++; // NORACE
	by_hci++; // RACE!
	by_nci++; // RACE!
	return 0;
}

static const struct nfc_vendor_cmd demo_commands[] = {
	{ .subcmd = 1, .doit = demo_command },
};

static int demo_hci_open(struct nfc_hci_dev *hdev)
{
	by_messages++; // NORACE
	return 0;
}

static void demo_hci_close(struct nfc_hci_dev *hdev)
{
	by_hci++; // RACE!
}

static int demo_hci_start_poll(struct nfc_hci_dev *hdev, u32 im_protocols, u32 tm_protocols)
{
	by_messages++; // NORACE
	return 0;
}

static int demo_hci_se_io(struct nfc_hci_dev *hdev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context)
{
	by_messages++; // NORACE
	return 0;
}

static const struct nfc_hci_ops demo_hci_ops = {
	.open = demo_hci_open,
	.close = demo_hci_close,
	.start_poll = demo_hci_start_poll,
	.se_io = demo_hci_se_io,
};

static int demo_nci_open(struct nci_dev *ndev)
{
	by_messages++; // NORACE
	return 0;
}

static int demo_nci_close(struct nci_dev *ndev)
{
	by_nci++; // RACE!
	return 0;
}

static int demo_nci_enable_se(struct nci_dev *ndev, u32 index)
{
	by_messages++; // NORACE
	return 0;
}

static int demo_nci_se_io(struct nci_dev *ndev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context)
{
	by_messages++; // NORACE
	return 0;
}

static const struct nci_ops demo_nci_ops = {
	.open = demo_nci_open,
	.close = demo_nci_close,
	.enable_se = demo_nci_enable_se,
	.se_io = demo_nci_se_io,
};

static int __init demo_init(void)
{
	struct nci_dev *ndev = nci_allocate_device(&demo_nci_ops, 1, 0, 0);
	struct nfc_hci_init_data data = { 0 };
	struct nfc_hci_dev *hdev = nfc_hci_allocate_device(&demo_hci_ops, &data, 0, 1, "shdlc", 0, 0, 0);

	if (!ndev || !hdev)
		return -ENOMEM;
	ndev->nfc_dev->vendor_cmds = demo_commands;
	ndev->nfc_dev->n_vendor_cmds = 1;
	if (nfc_hci_register_device(hdev))
		return -EIO;
	return nci_register_device(ndev);
}
module_init(demo_init);
