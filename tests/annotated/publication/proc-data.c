/* The data of a file in proc. */
// verdict: potential
#include <linux/module.h>
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>

struct demo {
	int early, late;
};

static ssize_t demo_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	struct demo *demo = pde_data(file_inode(file));

	return demo ? demo->early + demo->late : 0; // RACE!
}

static const struct proc_ops demo_ops = {
	.proc_read = demo_read,
};

static int __init demo_init(void)
{
	struct demo *demo = kzalloc(sizeof(*demo), GFP_KERNEL);

	if (!demo)
		return -ENOMEM;
	demo->early = 1; // NORACE
	proc_create_data("demo", 0444, NULL, &demo_ops, demo);
	demo->late = 1; // RACE!
	return 0;
}
module_init(demo_init);
