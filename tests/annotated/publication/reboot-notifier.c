/* A notifier leads to the struct around it. */
// verdict: potential
#include <linux/module.h>
#include <linux/reboot.h>
#include <linux/slab.h>

struct demo {
	int early, late;
	struct notifier_block nb;
};

static int demo_notify(struct notifier_block *nb, unsigned long event, void *data)
{
	struct demo *demo = container_of(nb, struct demo, nb);

	return demo->early + demo->late; // RACE!
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	demo->nb.notifier_call = demo_notify;
	register_reboot_notifier(&demo->nb);
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
