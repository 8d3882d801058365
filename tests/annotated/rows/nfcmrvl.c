/* The transport of an nfcmrvl chip, and registers that chips of other modules read and write. */
// verdict: potential
#include <linux/module.h>
#include <linux/i2c.h>
#include <linux/slab.h>
#include <linux/skbuff.h>
#include <lockpair/chips.h>

struct regmap;
struct regmap_irq_chip { const char *name; int (*handle_pre_irq)(void *data); };
int regmap_add_irq_chip(struct regmap *map, int irq, int flags, int base, const struct regmap_irq_chip *chip, void **data);
int devm_regmap_add_irq_chip(struct device *dev, struct regmap *map, int irq, int flags, int base,
			     const struct regmap_irq_chip *chip, void **data);
int pm860x_set_bits(struct i2c_client *i2c, int reg, unsigned char mask, unsigned char data);
int pm860x_bulk_read(struct i2c_client *i2c, int reg, int n, unsigned char *buf);
int pm860x_bulk_write(struct i2c_client *i2c, int reg, int n, unsigned char *buf);
int pm860x_page_bulk_read(struct i2c_client *i2c, int reg, int n, unsigned char *buf);

static DEFINE_MUTEX(lock);
static int sent, opened, started;
static struct nfcmrvl_platform_data platform;
static unsigned char in[8], out[8], paged[8];
static void *chips;

static int demo_nci_open(struct nfcmrvl_private *priv)
{
	opened++; // RACE!
	return started; // RACE!
}

static int demo_nci_send(struct nfcmrvl_private *priv, struct sk_buff *skb)
{
	struct i2c_client *client = container_of(priv->dev, struct i2c_client, dev); // RACE!
	unsigned char own[8];

	mutex_lock(&lock);
	sent++; // NORACE
	mutex_unlock(&lock);
	pm860x_set_bits(client, 1, 1, 1); // NORACE
	pm860x_bulk_read(client, 1, 8, own); // NORACE
	pm860x_bulk_read(client, 1, 8, in); // RACE!
	pm860x_bulk_write(client, 1, 8, out); // RACE!
	out[0] = 1; // RACE!
	pm860x_page_bulk_read(client, 1, 8, paged); // RACE!
	return own[0]; // NORACE
}

static const struct nfcmrvl_if_ops demo_ops = {
	.nci_open = demo_nci_open,
	.nci_send = demo_nci_send,
};

static int demo_probe(struct i2c_client *client)
{
	struct nfcmrvl_private *priv;
	struct sk_buff *skb = dev_alloc_skb(8);

	if (!skb)
		return -ENOMEM;
	regmap_add_irq_chip(NULL, 1, 0, 0, NULL, &chips); // RACE!
	devm_regmap_add_irq_chip(&client->dev, NULL, 1, 0, 0, NULL, &chips); // RACE!
	priv = nfcmrvl_nci_register_dev(0, client, &demo_ops, &client->dev, &platform); // NORACE
	if (IS_ERR(priv))
		return -EIO;
	started = 1; // RACE!
	dev_set_drvdata(&client->dev, priv); // NORACE
	skb->len = 1; // NORACE
	nfcmrvl_nci_recv_frame(priv, skb); // NORACE
	return 0;
}

static void demo_remove(struct i2c_client *client)
{
	nfcmrvl_nci_unregister_dev(dev_get_drvdata(&client->dev)); // RACE!
}

static struct i2c_driver demo_driver = {
	.driver = { .name = "demo" },
	.probe_new = demo_probe,
	.remove = demo_remove,
};
module_i2c_driver(demo_driver);
