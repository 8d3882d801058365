/* What lies behind a net_device ends with it, also if a header declares it that
   other modules may know. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/netdevice.h>
#include <linux/etherdevice.h>
#include <linux/workqueue.h>
#include "include/peg.h"

static void peg_check(struct work_struct *work) // RACE!
{
	struct peg *peg = container_of(work, struct peg, check.work);

	if (!(READ_ONCE(peg->flags) & 1)) // RACE!
		schedule_delayed_work(&peg->check, 100); // RACE!
}

static int peg_probe(struct platform_device *pdev)
{
	struct net_device *net = alloc_etherdev(sizeof(struct peg));
	struct peg *peg;

	if (!net)
		return -ENOMEM;
	peg = netdev_priv(net);
	INIT_DELAYED_WORK(&peg->check, peg_check);
	platform_set_drvdata(pdev, net);
	if (register_netdev(net)) {
		free_netdev(net);
		return -EIO;
	}
	schedule_delayed_work(&peg->check, 100);
	return 0;
}

static int peg_remove(struct platform_device *pdev)
{
	struct net_device *net = platform_get_drvdata(pdev);
	struct peg *peg = netdev_priv(net);

	WRITE_ONCE(peg->flags, 1);
	unregister_netdev(net);
	free_netdev(net); // RACE!
	return 0;
}

static struct platform_driver peg_driver = {
	.probe = peg_probe,
	.remove = peg_remove,
	.driver = { .name = "peg", .owner = THIS_MODULE },
};
module_platform_driver(peg_driver);
MODULE_LICENSE("GPL");
