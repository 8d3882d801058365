/* The driver's struct lies behind two kinds of net_devices, in one of them further off. Which one is ended nobody knows: its
   work need not be the one that was waited for. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/workqueue.h>

struct peg {
	unsigned int flags;
	struct work_struct work;
};

static bool far_off;

static void peg_work(struct work_struct *work) // RACE!
{
	struct peg *peg = container_of(work, struct peg, work);

	peg->flags++; // RACE!
}

static struct peg *peg_near(struct net_device *net)
{
	return netdev_priv(net);
}

static struct peg *peg_far(struct net_device *net)
{
	return (void *)net + (ALIGN(sizeof(struct net_device), NETDEV_ALIGN) + 256);
}

static int peg_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_etherdev(256 + sizeof(struct peg));
	struct peg *peg;

	if (!net)
		return -ENOMEM;
	peg = far_off ? peg_far(net) : peg_near(net); // RACE!
	INIT_WORK(&peg->work, peg_work);
	platform_set_drvdata(pdev, net);
	schedule_work(&peg->work);
	return 0;
}

static int peg_remove(struct platform_device *pdev)
{
	struct net_device *net = platform_get_drvdata(pdev);

	cancel_work_sync(&peg_far(net)->work);
	free_netdev(net); // RACE!
	return 0;
}

static int far_off_set(const char *val, const struct kernel_param *kp)
{
	far_off = *val == 'y'; // RACE!
	return 0;
}
static const struct kernel_param_ops far_off_ops = { .set = far_off_set };
module_param_cb(far_off, &far_off_ops, NULL, 0644);

static struct platform_driver peg_driver = {
	.probe = peg_probe,
	.remove = peg_remove,
	.driver = { .name = "peg", .owner = THIS_MODULE },
};
module_platform_driver(peg_driver);
MODULE_LICENSE("GPL");
