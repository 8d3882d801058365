/* The answer is read by whoever asked, outside of the lock; a typedef of the driver's own says nothing, and a function
   of its own is called. */
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <net/nfc/hci.h>

typedef void (*own_cb_t)(void *context, u8 *answer, size_t length, int error);

struct demo {
	struct mutex lock;
	se_io_cb_t cb, inner;
	own_cb_t own;
	void *context;
	u8 answer[8], other[8];
	int told;
};

static void demo_told(void *context, u8 *answer, size_t length, int error)
{
	struct demo *demo = context;

	demo->told++; // RACE!
}

static int demo_open(struct nfc_hci_dev *hdev)
{
	struct demo *demo = nfc_hci_get_clientdata(hdev);

	mutex_lock(&demo->lock);
	demo->answer[0] = 0; // RACE!
	demo->other[0] = 0; // RACE!
	demo->told = 0; // RACE!
	mutex_unlock(&demo->lock);
	return 0;
}

static int demo_se_io(struct nfc_hci_dev *hdev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context)
{
	struct demo *demo = nfc_hci_get_clientdata(hdev);

	demo->cb = cb; // RACE!
	demo->own = cb; // RACE!
	demo->context = context; // RACE!
	demo->inner = demo_told; // RACE!
	return 0;
}

static int demo_event_received(struct nfc_hci_dev *hdev, u8 pipe, u8 event, struct sk_buff *skb)
{
	struct demo *demo = nfc_hci_get_clientdata(hdev);

	demo->cb(demo->context, demo->answer, 1, 0); // RACE!
	demo->own(demo->context, demo->other, 1, 0); // RACE!
	demo->inner(demo, NULL, 0, 0); // RACE!
	return 0;
}

static const struct nfc_hci_ops demo_ops = {
	.open = demo_open,
	.se_io = demo_se_io,
	.event_received = demo_event_received,
};

int demo_probe(void)
{
	struct nfc_hci_init_data data = { .gate_count = 0 };
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct nfc_hci_dev *hdev;

	if (!demo)
		return -ENOMEM;
	mutex_init(&demo->lock);
	hdev = nfc_hci_allocate_device(&demo_ops, &data, 0, 0, "", 0, 0, 0);
	if (!hdev) {
		kfree(demo);
		return -ENOMEM;
	}
	nfc_hci_set_clientdata(hdev, demo);
	return nfc_hci_register_device(hdev);
}
module_init(demo_probe);
