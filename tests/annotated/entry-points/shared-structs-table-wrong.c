/* Who is given a table calls what stands there with what he has made, and knows which object leads to which. */
// verdict: potential
#include <linux/device.h>
#include <linux/module.h>
#include "shared-structs.h"

static void demo_reset(struct shared_host *host)
{
	host->slot->n++; // RACE!
}

static void demo_tick(struct shared_slot *slot)
{
	slot->n = 0; // RACE!
}

static const struct shared_ops ops = { .reset = demo_reset, .tick = demo_tick };

static int __init demo_init(void)
{
	return shared_register(&ops);
}
module_init(demo_init);
MODULE_LICENSE("GPL");
