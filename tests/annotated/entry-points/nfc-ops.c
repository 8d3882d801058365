/* An NFC controller: open and close under req_lock, secure elements under the device's lock, what it answers from
   one work item, send from several queues. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/nfc/nci_core.h>

static struct nci_dev *the_device;

struct demo {
	int sent, elements, closed, answers;
};

static u8 setting;

static int demo_open(struct nci_dev *dev)
{
	struct demo *demo = nci_get_drvdata(dev);

	demo->elements = 0; // NORACE
	demo->closed = 0; // NORACE
	demo->sent = 0; // RACE!
	return nci_set_config(dev, 1, 1, &setting); // RACE!
}

static int demo_close(struct nci_dev *dev)
{
	struct demo *demo = nci_get_drvdata(dev);

	demo->closed = 1; // RACE!
	return 0;
}

static int demo_enable_se(struct nci_dev *dev, u32 index)
{
	struct demo *demo = nci_get_drvdata(dev);

	demo->elements++; // NORACE
	demo->closed = 0; // RACE!
	return 0;
}

static int demo_send(struct nci_dev *dev, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(dev);

	skb->len = 0; // NORACE
	demo->sent++; // RACE!
	if (!dev->nci_ver) // NORACE
		return -EIO;
	setting = 1; // RACE!
	kfree_skb(skb); // NORACE
	return 0;
}

static int demo_rsp(struct nci_dev *dev, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(dev);

	demo->answers++; // NORACE
	return nci_send_frame(dev, skb);
}

static int demo_ntf(struct nci_dev *dev, struct sk_buff *skb)
{
	struct demo *demo = nci_get_drvdata(dev);

	skb->len = 0; // NORACE
	demo->answers--; // NORACE
	return nci_recv_frame(dev, skb);
}

static const struct nci_driver_ops demo_driver_ops[] = {
	{ .opcode = 1, .rsp = demo_rsp, .ntf = demo_ntf },
};

static const struct nci_ops demo_ops = {
	.open = demo_open,
	.close = demo_close,
	.send = demo_send,
	.enable_se = demo_enable_se,
	.prop_ops = demo_driver_ops,
	.n_prop_ops = 1,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct nci_dev *dev;

	if (!demo)
		return -ENOMEM;
	dev = nci_allocate_device(&demo_ops, 1, 0, 0);
	if (!dev)
		return -ENOMEM;
	nci_set_drvdata(dev, demo); // NORACE
	the_device = dev;
	dev->nci_ver = 1; // NORACE
	nci_register_device(dev);
	demo->sent = 1; // RACE!
	return 0;
}

static void __exit demo_exit(void)
{
	struct nci_dev *dev = the_device;

	nci_unregister_device(dev);
	dev->nci_ver = 0; // NORACE
	nci_free_device(dev); // NORACE
}
module_init(demo_init);
module_exit(demo_exit);
