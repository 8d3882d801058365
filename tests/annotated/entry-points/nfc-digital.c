/* A digital controller: commands from one work item, configuration from two, aborting under the device's lock. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <net/nfc/digital.h>

struct demo {
	int commands, configured, early;
};

static struct nfc_digital_dev *the_device;

static int demo_in_send_cmd(struct nfc_digital_dev *dev, struct sk_buff *skb, u16 timeout,
			    nfc_digital_cmd_complete_t cb, void *arg)
{
	struct demo *demo = nfc_digital_get_drvdata(dev);

	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
	demo->commands += demo->early; // NORACE
	dev->curr_rf_tech++; // RACE!
	return 0;
}

static int demo_tg_listen(struct nfc_digital_dev *dev, u16 timeout, nfc_digital_cmd_complete_t cb, void *arg)
{
	struct demo *demo = nfc_digital_get_drvdata(dev);

	demo->configured = 0; // RACE!
	return 0;
}

static int demo_in_configure_hw(struct nfc_digital_dev *dev, int type, int param)
{
	struct demo *demo = nfc_digital_get_drvdata(dev);

	demo->configured = 1; // RACE!
	return 0;
}

static void demo_abort_cmd(struct nfc_digital_dev *dev)
{
	dev->curr_protocol++; // NORACE
}

static const struct nfc_digital_ops demo_ops = {
	.in_send_cmd = demo_in_send_cmd,
	.tg_listen = demo_tg_listen,
	.in_configure_hw = demo_in_configure_hw,
	.abort_cmd = demo_abort_cmd,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct nfc_digital_dev *dev;

	if (!demo)
		return -ENOMEM;
	dev = nfc_digital_allocate_device(&demo_ops, 1, 0, 0, 0);
	if (!dev)
		return -ENOMEM;
	nfc_digital_set_drvdata(dev, demo);
	the_device = dev;
	demo->early = 1; // NORACE
	return nfc_digital_register_device(dev);
}

static void __exit demo_exit(void)
{
	struct nfc_digital_dev *dev = the_device;

	nfc_digital_unregister_device(dev);
	dev->curr_protocol = 0; // NORACE
	dev->curr_rf_tech = 0; // RACE!
}
module_init(demo_init);
module_exit(demo_exit);
