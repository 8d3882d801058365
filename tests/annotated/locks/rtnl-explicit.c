/* A file operation takes RTNL itself. */
// verdict: race-free
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/rtnetlink.h>

static int opened;

static int demo_open(struct net_device *dev)
{
	opened++; // NORACE
	return 0;
}

static const struct net_device_ops demo_netdev_ops = {
	.ndo_open = demo_open,
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	rtnl_lock();
	len = opened; // NORACE
	rtnl_unlock();
	return len;
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
	struct net_device *dev = alloc_etherdev(0);
	int err;

	if (!dev)
		return -ENOMEM;
	dev->netdev_ops = &demo_netdev_ops;
	err = register_netdev(dev);
	return err ? err : misc_register(&demo_misc);
}
module_init(demo_init);
