/* Its init and exit functions use the core: both may run while the other's do. */
// with-module: total-core.c
// with-module: total-second.c
// model: unshared.xml
// verdict: potential
#include <linux/module.h>

int total_add(int value);
int total_wrong(void);
int total_get(void);

static int __init first_init(void)
{
	total_wrong(); // RACE!
	return total_add(1);
}

/* An open file keeps the core, not who uses that. */
static void __exit first_exit(void)
{
	total_get(); // RACE!
}
module_init(first_init);
module_exit(first_exit);
MODULE_LICENSE("GPL");
