/* The transport's side of PN533: the chip's driver calls its functions from several threads, from when the chip is set up; a
   buffer that it has handed over is no more its own. */
// verdict: potential
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/skbuff.h>
#include <lockpair/chips.h>

struct demo {
	struct pn533 *priv;
	int type;
};

static DEFINE_MUTEX(lock);
static int sent, acks, started;
static u8 last[8];

static int demo_send_frame(struct pn533 *dev, struct sk_buff *out)
{
	mutex_lock(&lock);
	sent++; // NORACE
	mutex_unlock(&lock);
	return started; // RACE!
}

static int demo_send_ack(struct pn533 *dev, gfp_t flags)
{
	struct demo *demo = dev->phy; // RACE!

	acks++; // RACE!
	return demo == NULL;
}

static void demo_abort_cmd(struct pn533 *dev, gfp_t flags)
{
	mutex_lock(&lock);
	sent--; // NORACE
	mutex_unlock(&lock);
	if (pn533_rx_frame_is_ack(last)) // RACE!
		last[0] = 1; // RACE!
	pn533_recv_frame(dev, NULL, -ENOENT); // RACE!
}

static const struct pn533_phy_ops demo_phy_ops = {
	.send_frame = demo_send_frame,
	.send_ack = demo_send_ack,
	.abort_cmd = demo_abort_cmd,
};

static int demo_probe(struct platform_device *pdev)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	struct pn533 *priv;

	if (!demo)
		return -ENOMEM;
	priv = pn53x_common_init(0, 0, demo, &demo_phy_ops, NULL, &pdev->dev);
	if (IS_ERR(priv))
		return -ENOMEM;
	demo->priv = priv; // NORACE
	demo->type = priv->device_type; // NORACE
	if (pn533_finalize_setup(priv))
		return -EIO;
	started = 1; // RACE!
	platform_set_drvdata(pdev, demo);
	return pn53x_register_nfc(priv, 0, &pdev->dev);
}

static int demo_remove(struct platform_device *pdev)
{
	struct demo *demo = platform_get_drvdata(pdev);

	pn53x_unregister_nfc(demo->priv); // NORACE
	pn53x_common_clean(demo->priv); // RACE!
	return 0;
}

static struct platform_driver demo_driver = {
	.probe = demo_probe,
	.remove = demo_remove,
	.driver = { .name = "demo" },
};
module_platform_driver(demo_driver);
