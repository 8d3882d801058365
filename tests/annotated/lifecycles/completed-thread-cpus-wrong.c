/* All other CPUs run the function at once, and the first to complete is waited for. */
#include <linux/module.h>
#include <linux/completion.h>

int smp_call_function(void (*func)(void *), void *info, int wait);

static DECLARE_COMPLETION(done);
static int count;

static void demo_count(void *data)
{
	count++; // RACE!
	complete(&done);
}

static int __init demo_init(void)
{
	smp_call_function(demo_count, NULL, 0);
	return 0;
}
module_init(demo_init);

static void __exit demo_exit(void)
{
	wait_for_completion(&done);
	count = 0; // RACE!
}
module_exit(demo_exit);
