/* A module that has nothing but a table of keys. */
#include "rc.h"

static struct rc_map_table table[2] = { { 1, 2 }, { 3, 4 } };
static struct rc_map_list map = { .map = { .scan = table, .size = 2, .name = "rc-demo" } };

static int __init demo_init(void)
{
	return rc_map_register(&map); // NORACE
}

static void __exit demo_exit(void)
{
	rc_map_unregister(&map); // NORACE
}

module_init(demo_init);
module_exit(demo_exit);
MODULE_LICENSE("GPL");
