/* Like the first. */
// with-module: total-core.c
// with-module: total-first.c
// model: unshared.xml
// verdict: potential
#include <linux/module.h>

int total_add(int value);
int total_wrong(void);

static int __init second_init(void)
{
	total_wrong(); // RACE!
	return total_add(2);
}
module_init(second_init);

static void __exit second_exit(void)
{
}
module_exit(second_exit);
MODULE_LICENSE("GPL");
