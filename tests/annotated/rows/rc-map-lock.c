/* A table of keys comes and goes by two threads: the core's lock keeps its list whole. */
#include "rc.h"

static struct rc_map_table table[2] = { { 1, 2 }, { 3, 4 } };
static struct rc_map_list map = { .map = { .scan = table, .size = 2, .name = "rc-demo" } };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd)
		rc_map_register(&map); // NORACE
	else
		rc_map_unregister(&map); // NORACE
	return map.map.len; // NORACE
}

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
