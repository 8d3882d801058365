/* Drivers of two more buses: what is called with a device runs under its lock; detection under the bus's. */
// verdict: potential
#include <linux/module.h>
#include <linux/i2c.h>
#include <linux/pnp.h>

static int clients, alerts, detections;

static int demo_i2c_probe(struct i2c_client *client)
{
	client->flags = 1; // NORACE
	clients++; // RACE!
	return 0;
}

static void demo_i2c_remove(struct i2c_client *client)
{
	client->flags = 0; // NORACE
}

static void demo_alert(struct i2c_client *client, int protocol, unsigned int data)
{
	client->flags = 2; // NORACE
	alerts++; // RACE!
}

static int demo_detect(struct i2c_client *client, struct i2c_board_info *info)
{
	detections++; // NORACE
	info->addr = client->addr; // NORACE
	return clients; // RACE!
}

static struct i2c_driver demo_i2c_driver = {
	.probe_new = demo_i2c_probe,
	.remove = demo_i2c_remove,
	.alert = demo_alert,
	.detect = demo_detect,
	.driver = { .name = "demo" },
};

static int demo_pnp_probe(struct pnp_dev *dev, const struct pnp_device_id *id)
{
	dev->number = 1; // NORACE
	clients++; // RACE!
	return 0;
}

static void demo_pnp_remove(struct pnp_dev *dev)
{
	dev->number = 0; // NORACE
}

static struct pnp_driver demo_pnp_driver = {
	.name = "demo",
	.probe = demo_pnp_probe,
	.remove = demo_pnp_remove,
};

static int __init demo_init(void)
{
	return i2c_add_driver(&demo_i2c_driver) | pnp_register_driver(&demo_pnp_driver);
}
module_init(demo_init);
