/* Buffers and lists of the NFC stack: fresh ones, those that are handed over, and what is filled. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/skbuff.h>
#include <net/nfc/nci_core.h>
#include <net/nfc/hci.h>
#include <net/nfc/digital.h>

struct completion;
struct nci_spi { struct nci_dev *ndev; void *spi; int mode; };

struct sk_buff *nfc_alloc_recv_skb(unsigned int size, gfp_t flags);
struct sk_buff *__nfc_alloc_vendor_cmd_reply_skb(struct nfc_dev *dev, u32 oui, u32 subcmd, int length);
int nfc_vendor_cmd_reply(struct sk_buff *skb);
int nfc_hci_target_discovered(struct nfc_hci_dev *hdev, u8 gate);
int nfc_hci_set_param(struct nfc_hci_dev *hdev, u8 gate, u8 index, const u8 *param, size_t n);
int nci_send_data(struct nci_dev *ndev, u8 connection, struct sk_buff *skb);
struct nci_spi *nci_spi_allocate_spi(void *spi, u8 mode, unsigned int delay, struct nci_dev *ndev);
int nci_spi_send(struct nci_spi *nspi, struct completion *done, struct sk_buff *skb);
struct sk_buff *nci_spi_read(struct nci_spi *nspi);

/* Elsewhere: any. */
struct nfc_dev *demo_dev(void);
struct nci_dev *demo_nci(void);
struct nfc_hci_dev *demo_hci(void);
struct nfc_digital_dev *demo_digital(void);
struct nci_spi *demo_spi(void);
struct sk_buff *demo_skb(void);

static struct nfc_target targets[2];
static u8 param[2], general[8];
static size_t general_n;

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct nfc_dev *dev = demo_dev();
	struct nci_dev *ndev = demo_nci();
	struct nfc_hci_dev *hdev = demo_hci();
	struct nfc_digital_dev *ddev = demo_digital();
	struct sk_buff *sent = demo_skb();
	struct nfc_target found[2] = {};
	struct nci_spi *own;
	struct sk_buff *skb;
	size_t n;
	u8 bytes[8], *same;

	switch (cmd) {
	case 0:
		nfc_targets_found(dev, found, 2); // NORACE
		found[0].idx = 1; // NORACE
		nfc_targets_found(dev, targets, 2); // RACE!
		break;
	case 1:
		same = nfc_get_local_general_bytes(dev, bytes, sizeof(bytes), &n); // NORACE
		if (same)
			same[0] = 1; // NORACE
		nfc_get_local_general_bytes(dev, general, sizeof(general), &n); // RACE!
		nfc_get_local_general_bytes(dev, bytes, sizeof(bytes), &general_n); // RACE!
		break;
	case 2:
		skb = nfc_alloc_recv_skb(8, GFP_KERNEL);
		if (!skb)
			return -ENOMEM;
		skb->len = 1; // NORACE
		skb->data[0] = 1; // NORACE
		kfree_skb(skb); // NORACE
		skb = nci_spi_read(demo_spi()); // NORACE
		if (!skb)
			return -EIO;
		skb->len = 1; // NORACE
		skb->data[0] = 1; // NORACE
		nci_spi_send(demo_spi(), NULL, skb); // NORACE
		nci_spi_send(demo_spi(), NULL, sent); // RACE!
		skb = __nfc_alloc_vendor_cmd_reply_skb(dev, 1, 1, 8);
		if (!skb)
			return -ENOMEM;
		skb->data[0] = 1; // NORACE
		nfc_vendor_cmd_reply(skb); // NORACE
		nfc_vendor_cmd_reply(sent); // RACE!
		break;
	case 3:
		own = nci_spi_allocate_spi(NULL, 0, 0, ndev);
		if (!own)
			return -ENOMEM;
		own->mode = 1; // NORACE
		if (own->ndev == ndev) // NORACE
			break;
		own->ndev->nci_ver = 1; // NORACE
		break;
	case 4:
		nfc_hci_target_discovered(hdev, 1); // RACE!
		nfc_hci_set_param(hdev, 1, 1, param, 2); // RACE!
		hdev->gate2pipe[1] = 1; // RACE!
		param[0] = 1; // RACE!
		break;
	case 5:
		sent->len = 1; // RACE!
		break;
	case 6:
		ddev->curr_protocol = 1; // RACE!
		nfc_digital_free_device(ddev); // RACE!
		break;
	}
	return 0;
}

/* The stack has these buffers, and gives them to its other users. */
static ssize_t demo_write(struct file *file, const char __user *buf, size_t n, loff_t *pos)
{
	struct sk_buff *skb[] = {
		nfc_alloc_recv_skb(8, GFP_KERNEL), nfc_alloc_recv_skb(8, GFP_KERNEL),
		nfc_alloc_recv_skb(8, GFP_KERNEL), nfc_alloc_recv_skb(8, GFP_KERNEL),
	};

	if (!skb[0] || !skb[1] || !skb[2] || !skb[3])
		return -ENOMEM;
	skb[0]->len = 1; // NORACE
	nfc_tm_data_received(demo_dev(), skb[0]);
	skb[0]->len = 2; // RACE!
	skb[1]->len = 1; // NORACE
	nfc_hci_recv_frame(demo_hci(), skb[1]);
	skb[1]->len = 2; // RACE!
	skb[2]->len = 1; // NORACE
	nci_send_data(demo_nci(), 1, skb[2]);
	skb[2]->len = 2; // RACE!
	skb[3]->len = 1; // NORACE
	nci_recv_frame(demo_nci(), skb[3]);
	skb[3]->len = 2; // RACE!
	return 0;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
