/* Init stores a function where code outside looks, the last of all. */
#include <linux/module.h>

struct demo_hook { void (*fn)(void); };
static int limit;
static void demo_called(void)
{
	pr_info("%d", limit); // NORACE
}
static struct demo_hook hook;
extern struct demo_hook *demo_hook;
struct demo_hook *demo_hook = &hook;

static int __init demo_init(void)
{
	limit = 3; // NORACE
	hook.fn = demo_called;
	return 0;
}
module_init(demo_init);
