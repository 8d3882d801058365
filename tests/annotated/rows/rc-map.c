/* Tables of keys: the core has them in a list under its lock, and who has given one away shares it. */
// verdict: potential
#include "rc.h"

static struct rc_map_table table[2] = { { 1, 2 }, { 3, 4 } };
static struct rc_map_list map = { .map = { .scan = table, .size = 2, .name = "rc-demo" } };

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct rc_map_list *own = kzalloc(sizeof(*own), GFP_KERNEL);

	if (!own)
		return -ENOMEM;
	own->map.size = len; // NORACE
	rc_map_register(own); // NORACE
	own->map.size = map.map.size; // RACE!
	return !map.list.next; // RACE!
}

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	if (cmd)
		rc_map_register(&map); // RACE!
	else
		rc_map_unregister(&map); // RACE!
	return map.map.len; // NORACE
}

int demo_size(struct rc_map_list *any)
{
	return any->map.size; // RACE!
}
EXPORT_SYMBOL(demo_size);

static const struct file_operations demo_fops = { .owner = THIS_MODULE, .read = demo_read, .unlocked_ioctl = demo_ioctl };
static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
MODULE_LICENSE("GPL");
