/* What the NFC core and commands of HCI and NCI read and write of what they get; what they give is fresh, what is
   handed over is not the caller's any more. */
// verdict: potential
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/nfc/nci_core.h>
#include <net/nfc/hci.h>

struct dest_spec_params { u8 id, protocol; };

int nfc_se_transaction(struct nfc_dev *dev, u8 index, void *transaction);
int nfc_tm_activated(struct nfc_dev *dev, u32 protocol, u8 mode, const u8 *bytes, size_t n);
int nfc_set_remote_general_bytes(struct nfc_dev *dev, const u8 *bytes, u8 n);
int nfc_fw_download_done(struct nfc_dev *dev, const char *name, u32 result);
void nfc_send_to_raw_sock(struct nfc_dev *dev, struct sk_buff *skb, u8 type, u8 direction);
int nci_send_cmd(struct nci_dev *ndev, u16 opcode, u8 n, const void *payload);
int nci_core_conn_create(struct nci_dev *ndev, u8 type, u8 count, size_t n, const void *params);
int nci_get_conn_info_by_dest_type_params(struct nci_dev *ndev, u8 type, const struct dest_spec_params *params);
int nci_nfcc_loopback(struct nci_dev *ndev, const void *data, size_t n, struct sk_buff **answer);
int nci_hci_send_event(struct nci_dev *ndev, u8 gate, u8 event, const u8 *param, size_t n);
int nci_hci_send_cmd(struct nci_dev *ndev, u8 gate, u8 cmd, const u8 *param, size_t n, struct sk_buff **skb);
int nci_hci_get_param(struct nci_dev *ndev, u8 gate, u8 index, struct sk_buff **skb);
int nci_hci_set_param(struct nci_dev *ndev, u8 gate, u8 index, const u8 *param, size_t n);
int nci_hci_connect_gate(struct nci_dev *ndev, u8 host, u8 gate, u8 pipe);
int nci_hci_clear_all_pipes(struct nci_dev *ndev);

static u8 same[16], changed[16];
static struct dest_spec_params destination;
static struct sk_buff *seen[4];

/* Reads: what nobody changes is no race, what others change is one. */
static void demo_core(struct nfc_dev *dev, struct sk_buff *skb)
{
	size_t n;
	u8 own[8];

	nfc_se_transaction(dev, 1, &same[0]); // NORACE
	nfc_se_transaction(dev, 1, &changed[0]); // RACE!
	nfc_tm_activated(dev, 1, 1, &same[1], 1); // NORACE
	nfc_tm_activated(dev, 1, 1, &changed[1], 1); // RACE!
	nfc_set_remote_general_bytes(dev, &same[2], 1); // NORACE
	nfc_set_remote_general_bytes(dev, &changed[2], 1); // RACE!
	nfc_send_to_raw_sock(dev, skb, 1, 1); // NORACE
	nfc_get_local_general_bytes(dev, own, sizeof(own), &n); // NORACE
	own[0] = 1; // NORACE
}

static void demo_nci(struct nci_dev *ndev)
{
	struct sk_buff *skb = NULL;

	nci_send_cmd(ndev, 1, 1, &same[3]); // NORACE
	nci_send_cmd(ndev, 1, 1, &changed[3]); // RACE!
	nci_core_conn_create(ndev, 1, 1, 1, &same[4]); // NORACE
	nci_core_conn_create(ndev, 1, 1, 1, &changed[4]); // RACE!
	nci_get_conn_info_by_dest_type_params(ndev, 1, (void *)&same[5]); // NORACE
	nci_get_conn_info_by_dest_type_params(ndev, 1, &destination); // RACE!
	if (nci_nfcc_loopback(ndev, &same[6], 1, &skb)) // NORACE
		return;
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
	if (nci_nfcc_loopback(ndev, &changed[6], 1, &seen[0])) // RACE!
		return;
}

static void demo_nci_hci(struct nci_dev *ndev)
{
	struct sk_buff *skb = NULL;

	nci_hci_send_event(ndev, 1, 1, &changed[7], 1); // RACE!
	nci_hci_set_param(ndev, 1, 1, &changed[8], 1); // RACE!
	if (nci_hci_send_cmd(ndev, 1, 1, &changed[9], 1, &skb)) // RACE!
		return;
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
}

static int demo_open(struct nci_dev *ndev)
{
	demo_nci(ndev);
	demo_nci_hci(ndev);
	return 0;
}

static int demo_enable_se(struct nci_dev *ndev, u32 index)
{
	nci_hci_connect_gate(ndev, 1, 1, 1); // RACE!
	return nci_hci_clear_all_pipes(ndev); // RACE!
}

static int demo_send(struct nci_dev *ndev, struct sk_buff *skb)
{
	demo_core(ndev->nfc_dev, skb);
	changed[0] = 1; // RACE!
	changed[1] = 1; // RACE!
	changed[2] = 1; // RACE!
	changed[3] = 1; // RACE!
	changed[4] = 1; // RACE!
	changed[6] = 1; // RACE!
	changed[7] = 1; // RACE!
	changed[8] = 1; // RACE!
	changed[9] = 1; // RACE!
	destination.id = 1; // RACE!
	if (ndev->nfc_dev->fw_download_in_progress) // RACE!
		return -EBUSY;
	nci_hci_set_param(ndev, 1, 1, NULL, 0); // RACE!
	nci_hci_send_cmd(ndev, 1, 1, NULL, 0, NULL); // RACE!
	if (nci_hci_get_param(ndev, 1, 1, &skb)) // RACE!
		return -EIO;
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
	return nci_hci_send_event(ndev, 1, 1, NULL, 0); // RACE!
}

static int demo_fw_download(struct nci_dev *ndev, const char *name)
{
	nfc_fw_download_done(ndev->nfc_dev, "same", 0); // RACE!
	return nfc_fw_download_done(ndev->nfc_dev, &changed[10], 0); // RACE!
}

static u32 demo_get_rfprotocol(struct nci_dev *ndev, u8 protocol)
{
	return changed[10]++; // RACE!
}

static const struct nci_ops demo_ops = {
	.open = demo_open,
	.enable_se = demo_enable_se,
	.send = demo_send,
	.fw_download = demo_fw_download,
	.get_rfprotocol = demo_get_rfprotocol,
};

static int __init demo_init(void)
{
	struct nci_dev *ndev = nci_allocate_device(&demo_ops, 1, 0, 0);

	return ndev ? nci_register_device(ndev) : -ENOMEM;
}
module_init(demo_init);
