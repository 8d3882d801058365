/* Functions of other modules: files whose opener finds the driver's data by their number, what a bridge is asked, ports in
   a range, links between devices. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/ioport.h>
#include <linux/kobject.h>
#include <linux/miscdevice.h>

struct agp_bridge_data { unsigned long mode; int pending; };
u32 agp_collect_device_status(struct agp_bridge_data *bridge, u32 mode, u32 status);
int xillybus_init_chrdev(struct device *dev, const struct file_operations *fops, struct module *owner, void *data,
			 unsigned char *names, unsigned int len, int count, const char *prefix, bool enumerate);
void xillybus_cleanup_chrdev(void *data, struct device *dev);
int xillybus_find_inode(struct inode *inode, void **data, int *index);
void iTCO_vendor_pre_start(struct resource *registers, unsigned int heartbeat);
void iTCO_vendor_pre_stop(struct resource *registers);
int compat_only_sysfs_link_entry_to_kobj(struct kobject *kobj, struct kobject *target, const char *name,
					 const char *link);

struct demo {
	int opened, index;
	unsigned char names[8];
};

static struct agp_bridge_data bridge;
static struct resource registers;
static struct kobject *here, *there;

static int unit_open(struct inode *inode, struct file *file)
{
	void *data;
	int index;
	struct demo *demo;

	if (xillybus_find_inode(inode, &data, &index))
		return -ENODEV;
	demo = data;
	demo->opened++; // RACE!
	demo->index = index; // RACE!
	return demo->names[0]; // NORACE
}

static const struct file_operations unit_fops = { .owner = THIS_MODULE, .open = unit_open };

static long demo_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->opened = 0; // NORACE
	demo->names[0] = 'a'; // NORACE
	xillybus_init_chrdev(NULL, &unit_fops, THIS_MODULE, demo, demo->names, 8, 1, "demo", false); // NORACE
	xillybus_cleanup_chrdev(demo, NULL);
	iTCO_vendor_pre_start(&registers, 1); // RACE!
	iTCO_vendor_pre_stop(&registers); // RACE!
	compat_only_sysfs_link_entry_to_kobj(here, there, "demo", NULL); // NORACE
	return agp_collect_device_status(&bridge, 0, 0); // RACE!
}

static ssize_t demo_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	registers.start = len; // RACE!
	bridge.mode = len; // RACE!
	WRITE_ONCE(bridge.pending, 1); // NORACE
	return len;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.unlocked_ioctl = demo_ioctl,
	.write = demo_write,
};

static struct miscdevice demo_misc = { .minor = MISC_DYNAMIC_MINOR, .name = "demo", .fops = &demo_fops };
module_misc_device(demo_misc);
