/* An HDLC device: encodings are set under RTNL; protocols may send at the same time, each a buffer of its own. */
// verdict: potential
// assume: call-owned
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/rtnetlink.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>

struct hdlc_device {
	int (*attach)(struct net_device *dev, unsigned short encoding, unsigned short parity);
	netdev_tx_t (*xmit)(struct sk_buff *skb, struct net_device *dev);
	void *priv;
};
struct net_device *alloc_hdlcdev(void *priv);
int hdlc_open(struct net_device *dev);

static int encoding, sent;
static spinlock_t lock;
static struct net_device *device;

static int demo_attach(struct net_device *dev, unsigned short enc, unsigned short parity)
{
	encoding = enc; // NORACE
	sent = 0; // RACE!
	return 0;
}

static netdev_tx_t demo_xmit(struct sk_buff *skb, struct net_device *dev)
{
	skb->len = 0; // NORACE
	sent++; // RACE!
	return NETDEV_TX_OK;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	rtnl_lock();
	n = encoding; // NORACE
	rtnl_unlock();
	return n + hdlc_open(device); // NORACE
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	struct hdlc_device *hdlc;

	device = alloc_hdlcdev(&sent);
	if (!device)
		return -ENOMEM;
	device->mtu = 1; // NORACE
	hdlc = netdev_priv(device);
	hdlc->attach = demo_attach;
	hdlc->xmit = demo_xmit;
	return misc_register(&demo_misc);
}
module_init(demo_init);
