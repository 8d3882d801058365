/* A binary attribute leads to the struct around it. */
// verdict: potential
#include <linux/module.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/slab.h>

struct demo {
	int early, late;
	struct bin_attribute attr;
};

static struct kobject *demo_kobj;

static ssize_t demo_read(struct file *file, struct kobject *kobj, struct bin_attribute *attr, char *buf, loff_t pos, size_t n)
{
	struct demo *demo = container_of(attr, struct demo, attr);

	return demo->early + demo->late; // RACE!
}

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	demo->attr.read = demo_read;
	sysfs_create_bin_file(demo_kobj, &demo->attr);
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
