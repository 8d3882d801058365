/* Init stores a function where a variable leads that others can name, and which no code mentions. */
// verdict: potential
#include <linux/module.h>

struct demo_hook { void (*fn)(void); };
static int limit;
static void demo_called(void)
{
	pr_info("%d", limit); // RACE!
}
static struct demo_hook hook;
extern struct demo_hook *demo_hook;
struct demo_hook *demo_hook = &hook;

static int __init demo_init(void)
{
	hook.fn = demo_called;
	limit = 3; // RACE!
	return 0;
}
module_init(demo_init);
