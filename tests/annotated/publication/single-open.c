/* What single_open is given is the show function's. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>

struct demo {
	int early, late;
};

static int demo_show(struct seq_file *m, void *unused)
{
	struct demo *demo = m->private;

	return demo->early + demo->late; // RACE!
}

static int demo_open(struct inode *inode, struct file *file)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);
	int err;

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	err = single_open(file, demo_show, demo);
	demo->late = 1; // RACE!
	return err;
}

static const struct file_operations demo_fops = {
	.owner = THIS_MODULE,
	.open = demo_open,
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
