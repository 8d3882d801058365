/* One allocation holds two pairs of a kernel struct and a struct of the driver's behind it. It ends when the work of the
   first is over, and the second's still runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/completion.h>
#include <linux/workqueue.h>
#include <linux/slab.h>

struct peg {
	unsigned int flags, more;
	struct work_struct work;
	unsigned int last[3];
};

#define STRIDE 256

static void peg_work(struct work_struct *work) // RACE!
{
	struct peg *peg = container_of(work, struct peg, work);

	peg->flags++; // RACE!
}

static void *priv_of(struct completion *done)
{
	return (void *)done + 64;
}

static struct completion *next_of(struct completion *done)
{
	return (void *)done + STRIDE;
}

static int peg_probe(struct platform_device *pdev)
{
	struct completion *done = kzalloc(2 * STRIDE, GFP_KERNEL);
	struct peg *first, *second;

	if (!done)
		return -ENOMEM;
	first = priv_of(done);
	second = priv_of(next_of(done));
	INIT_WORK(&first->work, peg_work);
	INIT_WORK(&second->work, peg_work);
	platform_set_drvdata(pdev, done);
	schedule_work(&first->work);
	schedule_work(&second->work);
	return 0;
}

static int peg_remove(struct platform_device *pdev)
{
	struct completion *done = platform_get_drvdata(pdev);
	struct peg *first = priv_of(done);

	cancel_work_sync(&first->work);
	kfree(done); // RACE!
	return 0;
}

static struct platform_driver peg_driver = {
	.probe = peg_probe,
	.remove = peg_remove,
	.driver = { .name = "peg", .owner = THIS_MODULE },
};
module_platform_driver(peg_driver);
MODULE_LICENSE("GPL");
