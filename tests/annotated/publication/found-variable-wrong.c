/* Init fills the operations of a parameter whose file is there before init runs. */
// verdict: potential
#include <linux/module.h>
#include <linux/moduleparam.h>

static int limit, got;
static int demo_set(const char *text, const struct kernel_param *kp)
{
	got = limit; // RACE!
	return 0;
}
static struct kernel_param_ops demo_ops;
module_param_cb(start, &demo_ops, NULL, 0644);

static int __init demo_init(void)
{
	demo_ops.set = demo_set;
	limit = 3; // RACE!
	return 0;
}
module_init(demo_init);
