/* Buffers of the network: fresh when they are allocated or copied, the stack's once they are handed over. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>

struct sk_buff_head {
	struct sk_buff *next, *prev;
	u32 qlen;
	spinlock_t lock;
};
struct page;
struct sk_buff *__napi_alloc_skb(struct napi_struct *napi, unsigned int len, gfp_t flags);
struct sk_buff *__alloc_skb(unsigned int size, gfp_t flags, int kind, int node);
struct sk_buff *build_skb(void *data, unsigned int size);
struct sk_buff *skb_copy(const struct sk_buff *skb, gfp_t flags);
int dev_queue_xmit(struct sk_buff *skb);
unsigned int napi_gro_receive(struct napi_struct *napi, struct sk_buff *skb);
void skb_queue_tail(struct sk_buff_head *list, struct sk_buff *skb);
void kfree_skb_list_reason(struct sk_buff *skb, int reason);
struct net_device *alloc_netdev_mqs(int size, const char *name, unsigned char assign, void (*setup)(struct net_device *),
				    unsigned int txqs, unsigned int rxqs);

static struct sk_buff *volatile shared;
static struct sk_buff_head queue;

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct sk_buff *skb = file->private_data;

	if (n)
		return skb->data_len + skb->truesize; // RACE!
	return shared->len; // RACE!
}

static long demo_fresh(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sk_buff *skb;

	switch (cmd) {
	case 0:
		skb = __napi_alloc_skb(NULL, 64, GFP_KERNEL);
		if (skb)
			skb->data_len = 1; // NORACE
		break;
	case 1:
		skb = __alloc_skb(64, GFP_KERNEL, 0, 0);
		if (skb)
			skb->data_len = 1; // NORACE
		break;
	case 2:
		skb = build_skb(file->private_data, 64);
		if (skb)
			skb->data_len = 1; // NORACE
		break;
	case 3:
		skb = skb_copy(shared, GFP_KERNEL); // RACE!
		if (skb)
			skb->data_len = 1; // NORACE
		break;
	}
	return 0;
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct sk_buff *skb = __netdev_alloc_skb(NULL, 64, GFP_KERNEL);

	if (!skb)
		return -ENOMEM;
	skb->data_len = 1; // NORACE
	skb->truesize = 1; // NORACE
	switch (cmd) {
	case 0:
		netif_rx(skb); // RACE!
		skb->data_len = 2; // RACE!
		break;
	case 1:
		dev_queue_xmit(skb); // RACE!
		skb->data_len = 3; // RACE!
		break;
	case 2:
		napi_gro_receive(NULL, skb); // RACE!
		skb->data_len = 4; // RACE!
		break;
	case 3:
		skb_queue_tail(&queue, skb);
		skb->data_len = 5; // RACE!
		break;
	case 4:
		kfree_skb_list_reason(skb, 0); // NORACE
		break;
	}
	return 0;
}

static int demo_write_all(struct file *file, loff_t start, loff_t end, int cmd)
{
	struct sk_buff *skb = shared;

	skb->len = 1; // RACE!
	kfree_skb_list_reason(shared, 0); // RACE!
	return 0;
}

struct demo {
	int ready;
};

/* Called before anybody has the device. */
static void demo_setup(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	demo->ready = 1; // NORACE
}

static int demo_open(struct net_device *dev)
{
	struct demo *demo = netdev_priv(dev);

	return demo->ready; // RACE!
}

static const struct net_device_ops demo_ops = { .ndo_open = demo_open };

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.read = demo_read,
	.unlocked_ioctl = demo_ioctl,
	.compat_ioctl = demo_fresh,
	.fsync = demo_write_all,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};

static int __init demo_init(void)
{
	struct net_device *dev = alloc_netdev_mqs(sizeof(struct demo), "demo", 0, demo_setup, 1, 1);
	struct demo *demo;

	if (!dev)
		return -ENOMEM;
	demo = netdev_priv(dev);
	demo->ready = 2; // NORACE
	dev->netdev_ops = &demo_ops;
	if (register_netdev(dev))
		return -EBUSY;
	demo->ready = 3; // RACE!
	return misc_register(&demo_misc);
}
module_init(demo_init);
