/* What the functions of AGP drivers do to the bridge and to memory: nothing else. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include "agp-members.h"

extern struct agp_bridge_data *agp_bridge;
extern struct agp_memory *agp_memory(void);

static DEFINE_MUTEX(lock);
static DEFINE_MUTEX(table_lock);

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct agp_bridge_data *bridge = agp_bridge;
	struct agp_memory *memory = agp_memory();
	int err = -EINVAL;

	mutex_lock(&table_lock);
	if (cmd == 0) {
		err = bridge->driver->create_gatt_table(bridge);
		bridge->driver->agp_enable(bridge, bridge->mode); // NORACE
	} else if (cmd == 1) {
		err = bridge->driver->agp_alloc_pages(bridge, memory, arg); // NORACE
		if (!err)
			err = bridge->driver->insert_memory(memory, 0, 0);
	} else if (cmd == 2) {
		err = bridge->driver->remove_memory(memory, 0, 0);
		bridge->driver->agp_destroy_pages(memory);
	} else if (cmd == 3) {
		err = bridge->driver->free_gatt_table(bridge);
	}
	mutex_unlock(&table_lock);
	return err;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	struct agp_bridge_data *bridge = agp_bridge;
	struct agp_memory *memory = agp_memory();
	ssize_t read;

	mutex_lock(&lock);
	read = bridge->flags + memory->pg_start; // NORACE
	mutex_unlock(&lock);
	return read;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.read = demo_read,
};

static struct miscdevice demo_misc = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "demo",
	.fops = &demo_fops,
};
module_misc_device(demo_misc);
