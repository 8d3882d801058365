/* Members and functions that touch registers, texts of the firmware, and little of what they are given. */
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/string.h>
#include <linux/tty_driver.h>
#include "registers-and-texts.h"

extern struct agp_bridge_data *bridge_of(int n);
extern struct parport *port_of(int n);
extern struct wm831x *chip_of(int n);
extern struct page *page_of(int n);
extern struct tty_driver *driver_of(int n);

static char answer[8];

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct agp_bridge_data *bridge = bridge_of(cmd);
	struct parport *port = port_of(cmd);
	struct wm831x *chip = chip_of(cmd);
	const char *vendor = dmi_get_system_info(4);

	if (vendor && !strcmp(vendor, "Demo")) // NORACE
		return -ENODEV;
	wm831x_reg_unlock(chip); // RACE!
	wm831x_reg_lock(chip); // RACE!
	port->ops->epp_read_data(port, answer, sizeof(answer), 0); // RACE!
	bridge->driver->agp_destroy_page(bridge->driver->agp_alloc_page(bridge), 1); // NORACE
	__put_devmap_managed_page_refs(page_of(cmd), 1); // NORACE
	tty_unregister_driver(driver_of(cmd)); // RACE!
	return 0;
}

static ssize_t demo_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	len += chip_of(*pos)->irq; // NORACE
	len += bridge_of(*pos)->mode; // NORACE
	answer[0] = len; // RACE!
	driver_of(*pos)->major = len; // RACE!
	return chip_of(*pos)->locked; // RACE!
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

static int __init demo_init(void)
{
	return misc_register(&demo_misc);
}
module_init(demo_init);
