/* An NFC device of its own: under its device's lock, until it is unregistered; what only messages ask for one at a time. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/skbuff.h>
#include <net/nfc/nfc.h>

static struct nfc_dev *the_device;
static int commands, only_commands;

static int demo_dev_up(struct nfc_dev *dev)
{
	dev->rf_mode = 1; // NORACE
	only_commands = 0; // NORACE
	return 0;
}

static void demo_stop_poll(struct nfc_dev *dev)
{
	dev->rf_mode = 0; // NORACE
	commands = 0; // RACE!
}

static int demo_tm_send(struct nfc_dev *dev, struct sk_buff *skb)
{
	skb->len = 0; // NORACE
	kfree_skb(skb); // NORACE
	return 0;
}

static int demo_se_io(struct nfc_dev *dev, u32 index, u8 *apdu, size_t length, se_io_cb_t cb, void *context)
{
	dev->polling = true; // RACE!
	only_commands++; // NORACE
	return 0;
}

static int demo_first(struct nfc_dev *dev, void *data, size_t length)
{
	commands++; // RACE!
	return 0;
}

static int demo_second(struct nfc_dev *dev, void *data, size_t length)
{
	commands--; // RACE!
	return 0;
}

static int demo_third(struct nfc_dev *dev, void *data, size_t length)
{
	only_commands++; // NORACE
	return 0;
}

static const struct nfc_vendor_cmd demo_commands[] = {
	{ .subcmd = 1, .doit = demo_first },
	{ .subcmd = 2, .doit = demo_second },
	{ .subcmd = 3, .doit = demo_third },
};

static const struct nfc_ops demo_ops = {
	.dev_up = demo_dev_up,
	.stop_poll = demo_stop_poll,
	.tm_send = demo_tm_send,
	.se_io = demo_se_io,
};

static int __init demo_init(void)
{
	struct nfc_dev *dev = nfc_allocate_device(&demo_ops, 1, 0, 0);

	if (!dev)
		return -ENOMEM;
	the_device = dev;
	dev->vendor_cmds = demo_commands;
	dev->n_vendor_cmds = 3;
	dev->rf_mode = 1; // NORACE
	return nfc_register_device(dev);
}

static void __exit demo_exit(void)
{
	struct nfc_dev *dev = the_device;

	nfc_unregister_device(dev);
	dev->rf_mode = 0; // NORACE
	dev->polling = false; // RACE!
}
module_init(demo_init);
module_exit(demo_exit);
