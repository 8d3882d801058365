/* IPMI interfaces come and go one after the other; answers come at any time. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/list.h>

struct ipmi_recv_msg { struct list_head link; void (*done)(struct ipmi_recv_msg *msg); };
struct ipmi_user_hndl { void (*ipmi_recv_hndl)(struct ipmi_recv_msg *msg, void *data); void (*shutdown)(void *data); };
struct ipmi_smi_watcher {
	struct list_head link;
	struct module *owner;
	void (*new_smi)(int number, struct device *dev);
	void (*smi_gone)(int number);
};
int ipmi_smi_watcher_register(struct ipmi_smi_watcher *watcher);
int ipmi_smi_watcher_unregister(struct ipmi_smi_watcher *watcher);

static int interfaces, answers;

static void demo_receive(struct ipmi_recv_msg *msg, void *data)
{
	answers++; // RACE!
}
const struct ipmi_user_hndl demo_handler = { .ipmi_recv_hndl = demo_receive };

static void demo_new_smi(int number, struct device *dev)
{
	interfaces++; // NORACE
}

static void demo_smi_gone(int number)
{
	interfaces--; // NORACE
	answers = 0; // RACE!
}

static struct ipmi_smi_watcher demo_watcher = {
	.owner = THIS_MODULE,
	.new_smi = demo_new_smi,
	.smi_gone = demo_smi_gone,
};

static int __init demo_init(void)
{
	return ipmi_smi_watcher_register(&demo_watcher); // NORACE
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	ipmi_smi_watcher_unregister(&demo_watcher); // NORACE
}
module_exit(demo_exit);
